"""Records of literature: RIS, PubMed and BibTeX, read, written, and judged by their own readers."""

import bibtexparser
import pytest
import rispy

import satsuma
from satsuma.errors import ReadError

RIS = """1.
TY  - JOUR
AU  - Müller, J.
AU  - Doe, A.
TI  - A trial of things;
  in two lines
AB  - We did it.
KW  - trial
KW  - dose
PY  - 2020
DO  - 10.1/x
AB  - And again.
ZZ  - odd
ER  -

2.
TY  - CONF
TI  - On rain
UR  - http://a.org
ER  -
"""
NBIB = """PMID- 111
TI  - A title that goes on and
      on.
FAU - Doe, Anna
AU  - Doe A
FAU - Roe, Bob
AU  - Roe B
DP  - 2019 Mar
LID - 10.1/y [doi]
OT  - rain
JT  - Journal of Rain
AB  - One
      two.

PMID- 222
TI  - Other
AU  - Poe C
"""
BIB = r"""@string{jr = "Journal of Rain"}
@article{doe19, title={On {Rain} in M\"unchen}, author={Doe, Anna and Roe, Bob}, year=2019,
  journal=jr, abstract={Long}}
@inproceedings{doe19, title={Again}, author={Poe, C.}}
"""


def read(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return satsuma.read(path)


def test_ris(tmp_path):
    table = read(tmp_path, "refs.ris", RIS)
    assert table["title"].tolist() == ["A trial of things; in two lines", "On rain"]
    assert table["authors"].tolist() == ["Müller, J.; Doe, A.", None]
    assert table["abstract"].tolist() == ["We did it.; And again.", None]  # nothing is lost
    assert table["year"].tolist()[0] == 2020
    assert table["ZZ"].tolist() == ["odd", None]
    assert [v.name for v in table.domain.attributes] == ["title", "abstract", "keywords"]
    assert {v.kind for v in table.domain.attributes} == {"text"}
    assert table.domain["doi"].role == "meta"


def test_pubmed(tmp_path):
    table = read(tmp_path, "refs.nbib", NBIB)
    assert table["title"].tolist() == ["A title that goes on and on.", "Other"]
    assert table["authors"].tolist() == ["Doe, Anna; Roe, Bob", "Poe C"]
    assert table["doi"].tolist() == ["10.1/y", None]
    assert table["year"].tolist()[0] == 2019
    assert table["pmid"].tolist() == ["111", "222"]


def test_bibtex(tmp_path):
    table = read(tmp_path, "refs.bib", BIB)
    assert table["title"].tolist() == ["On Rain in München", "Again"]
    assert table["authors"].tolist() == ["Doe, Anna; Roe, Bob", "Poe, C."]
    assert table["journal_name"].tolist() == ["Journal of Rain", None]
    assert table["id"].tolist() == ["doe19", "doe19"]  # twice the same key: both are there


@pytest.mark.parametrize("ending", ["ris", "nbib", "bib"])
def test_what_is_written_is_read_again(tmp_path, ending):
    text = {
        "ris": RIS,
        "nbib": NBIB,
        "bib": BIB.replace("{doe19, title={Again", "{poe, title={Again"),
    }
    table = read(tmp_path, f"refs.{ending}", text[ending])
    satsuma.write(table, tmp_path / f"again.{ending}")
    again = satsuma.read(tmp_path / f"again.{ending}")
    for name in table.domain.names:
        assert str(again[name].tolist()) == str(table[name].tolist()), name


def test_labels_go_along_as_notes_that_other_readers_see(tmp_path):
    table = read(tmp_path, "refs.ris", RIS)
    labelled = satsuma.read(
        {**{name: table[name].tolist() for name in ("title", "authors", "year")},
         "relevant": ["yes", "no"]}, target="relevant",
    )  # fmt: skip
    satsuma.write(labelled, tmp_path / "out.ris")
    found = rispy.loads((tmp_path / "out.ris").read_text("utf-8"))
    assert [each["notes"] for each in found] == [["relevant: yes"], ["relevant: no"]]
    assert found[0]["authors"] == ["Müller, J.", "Doe, A."]
    satsuma.write(labelled, tmp_path / "out.bib")
    entries = bibtexparser.parse_string((tmp_path / "out.bib").read_text("utf-8")).entries
    assert [each["note"] for each in entries] == ["relevant: yes", "relevant: no"]
    assert entries[0]["author"] == r"M\"uller, J. and Doe, A."


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.ris", "TY  - JOUR\nTI  - x\n\nTY  - JOUR\nER  - \n", "line 1: a record does not end"),
        ("a.ris", "nothing", "no ris record"),
        ("a.nbib", "TI  - x\n", "no nbib record"),
        ("a.bib", "@article{a, title={x\n@article{b, title={y}}", "no BibTeX"),
    ],
)
def test_what_is_broken_is_said(tmp_path, name, text, said):
    with pytest.raises(ReadError, match=said):
        read(tmp_path, name, text)


def test_another_encoding_is_refused_by_the_byte():
    with pytest.raises(ReadError, match="byte 15 is not UTF-8"):
        satsuma.read(b"TY  - JOUR\nTI  \xfc", format="ris")
