import bz2
import gzip
import io
import lzma
import zipfile

import numpy as np
import pytest

from satsuma import NaiveBayes, SatsumaError, Table, read, scan, write
from satsuma.errors import ParameterError, ReadError
from tests.cli.running import ran, refused

FORMATS = (".csv", ".tsv", ".tab", ".arff", ".jsonl", ".parquet", ".feather", ".xlsx")


def small():
    rows = [(k / 4 if k % 5 else None, "uvw"[k % 3], "ab"[k % 2]) for k in range(40)]
    return Table.of(rows, ["n", "s", "y"])


def content(ending, tmp_path):
    write(small(), tmp_path / f"t{ending}")
    return (tmp_path / f"t{ending}").read_bytes()


def zipped(text):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("t.csv", text)
    return held.getvalue()


PACKED = {".csv.gz": gzip.compress, ".csv.bz2": bz2.compress, ".csv.xz": lzma.compress,
          ".csv.zip": zipped}  # fmt: skip


def assert_same(found, table=None):
    table = small() if table is None else table
    assert found.domain.names == table.domain.names
    assert [row["s"] for row in found] == [row["s"] for row in table]
    np.testing.assert_array_equal(found["n"], table["n"])


@pytest.mark.parametrize("ending", [*FORMATS, *PACKED])
def test_every_format(bucket, ending, tmp_path):
    packed = PACKED.get(ending, bytes)
    url = bucket.put(
        f"f/t{ending}", packed(content(ending[:4] if ending in PACKED else ending, tmp_path))
    )
    table = read(url, storage_options=bucket.options)
    assert table.name == "t"
    assert_same(table)
    assert_same(scan(url, storage_options=bucket.options).head(99))


def test_patterns_folders_and_partitions(bucket):
    for at, year in enumerate((2024, 2023)):
        bucket.put(f"p/year={year}/x.csv", f"a,b\n{at + 5},u\n{at + 5},v\n".encode())
    bucket.put("p/_SUCCESS", b"")
    bucket.put("p/.hidden/y.csv", b"a\n")
    how = {"storage_options": bucket.options}
    for made in (read("s3://shop/p", **how), scan("s3://shop/p/", **how).head(9)):
        assert made.name == "p"
        assert made["year"].tolist() == [2023, 2023, 2024, 2024]
        assert made["a"].tolist() == [6, 6, 5, 5]
    assert read("s3://shop/p/*/x.csv", **how).domain.names == ("a", "b")
    assert len(scan("s3://shop/p/**/x.csv", **how)) == 4
    assert read("s3://shop/p/year=202[4]/*.csv", **how)["a"].tolist() == [5, 5]
    assert len(scan(["s3://shop/p/year=2023/x.csv", "s3://shop/p/year=2024/x.csv"], **how)) == 4
    with pytest.raises(ReadError, match="again"):
        scan(["s3://shop/p/year=2023/x.csv"] * 2, **how)
    with pytest.raises(ReadError, match=r"s3://shop/p/\*.csv: no file matches"):
        read("s3://shop/p/*.csv", **how)


def test_large_files_are_read_by_stretches(bucket, tmp_path, monkeypatch):
    from satsuma.data.formats.delimited import text_parts
    from satsuma.data.formats.jsonl import reader

    monkeypatch.setattr(text_parts, "PART", 1 << 14)
    monkeypatch.setattr(reader, "PART", 1 << 14)
    table = Table.of([(k, f"s{k % 7}", "ab"[k % 2]) for k in range(5000)], ["n", "s", "y"])
    for ending in (".csv", ".jsonl"):
        write(table, tmp_path / f"l{ending}")
        url = bucket.put(f"l/l{ending}", (tmp_path / f"l{ending}").read_bytes())
        source = scan(url, storage_options=bucket.options, target="y", threads=2)
        assert len(source.parts) > 2
        assert str(NaiveBayes()(source)) == str(
            NaiveBayes()(read(tmp_path / f"l{ending}", target="y"))
        )


def test_names_of_others_and_the_environment(bucket, monkeypatch):
    url = bucket.put("n/t.csv", b"a,b\n1,u\n")
    endpoint = bucket.endpoint
    for options in (
        {"anon": True, "client_kwargs": {"endpoint_url": endpoint, "region_name": "eu-west-1"}},
        {"aws_access_key_id": "k", "aws_secret_access_key": "s", "aws_endpoint_url": endpoint},
        {"access_key": "k", "secret_key": "s", "endpoint_override": endpoint, "region": "eu"},
        {"AWS_SKIP_SIGNATURE": "true", "aws_endpoint": endpoint},
    ):  # fmt: skip
        assert read(url, storage_options=options).shape == (1, 2)
    assert read(f"s3://k:s%2Ft@shop/n/t.csv?endpoint={endpoint}&region=eu").shape == (1, 2)
    monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
    assert read(url, storage_options={"anonymous": True}).shape == (1, 2)
    with pytest.raises(ParameterError, match=r"no option 'anonimous' .*Did you mean 'anonymous'"):
        read(url, storage_options={"anonimous": "xyzzy"})
    with pytest.raises(ParameterError, match="must be a dict"):
        read(url, storage_options="xyzzy")
    with pytest.raises(ParameterError, match="goes with an address"):
        read("a.csv", storage_options={"anonymous": True})


def test_what_goes_wrong(bucket, capfd):
    url = bucket.put("w/sales.csv", b"a,b\n1,u\n")
    how = {"storage_options": bucket.options}
    for call in (read, scan):
        with pytest.raises(
            ReadError, match=r"w/sale.csv: there is no such file. Did you mean 'sales.csv'"
        ):
            call("s3://shop/w/sale.csv", **how)
        with pytest.raises(
            ReadError, match=r"there is no such bucket. Look for a slip in its name"
        ):
            call("s3://shopp/w/sales.csv", **how)
    with pytest.raises(ReadError, match=r"no server answers. .*endpoint"):
        read(url, storage_options={**bucket.options, "endpoint": "http://127.0.0.1:1"})
    with pytest.raises(ReadError, match=r"is not clear where the password ends"):
        read("s3://AKIA:xy/zzy@shop/a.csv")
    with pytest.raises(ReadError, match="names no account"):
        read("az://box/a.csv")
    where = ["--read", f"endpoint={bucket.endpoint}", "--read", "anonymous=true"]
    told = refused(capfd, "look", "s3://shop/w/sale.csv", *where)
    assert "there is no such file. Did you mean 'sales.csv'" in told
    told = refused(capfd, "look", url, "--read", "endpoint=http://127.0.0.1:1")
    assert (
        "no server answers. Check the network, or pass another endpoint with --read endpoint=…"
        in told
    )
    assert ran(capfd, "look", url, *where).code == 0


def test_access_that_is_denied():
    from tests.data.remote.servers import serving

    with serving() as server:
        server.codes["/shop/a.csv"] = 403
        with pytest.raises(ReadError, match=r"access is denied. Say who you are.*anonymous"):
            read(
                "s3://shop/a.csv",
                storage_options={"key": "k", "secret": "s", "endpoint": server.url},
            )


def test_a_file_here_by_its_address(tmp_path):
    (tmp_path / "a b.csv").write_text("a,b\n1,u\n")
    assert read((tmp_path / "a b.csv").as_uri()).shape == (1, 2)


def test_by_fsspec():
    fsspec = pytest.importorskip("fsspec")
    store = fsspec.filesystem("memory")
    store.pipe({"/t/a.csv": b"a,b\n1,u\n", "/t/b.csv": b"a,b\n2,v\n"})
    try:
        assert read("memory://t/a.csv").shape == (1, 2)
        assert read("memory://t/*.csv")["a"].tolist() == [1, 2]
        assert scan("memory://t").shape == (2, 2)
        with pytest.raises(ReadError, match=r"there is no such file. Did you mean 'a.csv'"):
            read("memory://t/aa.csv")
    finally:
        store.rm("/t", recursive=True)


def test_nothing_tells_credentials(bucket, tmp_path, capfd):
    from tests.data.remote.conftest import KEY, SECRET

    bucket.put(
        "c/t.csv",
        b"n,s,y\n" + b"".join(b"%d,u,%s\n" % (k, b"ab"[k % 2 : k % 2 + 1]) for k in range(60)),
    )
    url = f"s3://{KEY}:{SECRET.replace('/', '%2F').replace('+', '%2B')}@shop/c/t.csv"
    with_endpoint = f"{url}?endpoint={bucket.endpoint}"
    told = []
    for place, how in (
        (with_endpoint, {}),
        ("s3://shop/c/t.csv", {"storage_options": bucket.options}),
    ):
        table, source = read(place, target="y", **how), scan(place, target="y", **how)
        model = NaiveBayes()(source)
        model.save(tmp_path / "model.satsuma")
        told += [table.name, table.notes, repr(table), source.name, source.notes, repr(source)]
        told += [repr(source.parts), source.parts[0].place, vars(source.parts[0]), str(model)]
        told.append((tmp_path / "model.satsuma").read_bytes().decode("latin-1"))
        with pytest.raises(SatsumaError) as caught:
            read(place.replace("t.csv", "none.csv"), **how)
        told += [caught.value, vars(caught.value)]
    for words in (["look"], ["learn", "-t", "y", "--json"]):
        found = ran(capfd, words[0], with_endpoint, *words[1:])
        assert found.code == 0, found
        told += [found.out, found.err]
    for each in told:
        assert "xyzzy" not in str(each).lower(), each


def test_parts_travel(bucket):
    import pickle

    url = bucket.put("k/t.csv", b"a,b\n1,u\n2,v\n")
    source = scan(url, storage_options=bucket.options)
    (part,) = pickle.loads(pickle.dumps(list(source.parts)))
    assert [raw.rows for raw in part.read(source.index.plan)] == [2]
