import subprocess
import sys

HEAVY = (
    "sklearn", "pandas", "matplotlib", "numba", "scipy", "polars", "openpyxl", "pyarrow",
    "importlib.metadata",
)  # fmt: skip


def brought_in(code):
    told = f"{code}\nimport sys; print(*sys.modules, sep=chr(10))"
    ran = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    return set(ran.stdout.split())


def test_import_is_light():
    # What an editable install brings in by itself is not ours.
    modules = brought_in("import satsuma") - brought_in("import numpy, importlib.util; ")
    plain = brought_in("pass")
    assert "satsuma" in modules
    assert not [heavy for heavy in HEAVY if heavy in modules - plain]


def test_reading_text_does_not_need_arrow():
    modules = brought_in("import satsuma; satsuma.read(b'a,b\\n1,x\\n', format='csv')")
    assert not {"pyarrow", "pandas"} & modules


def test_the_public_names():
    import satsuma

    pinned = {"Domain", "Row", "SatsumaError", "Table", "Variable", "load", "read", "write"}
    assert pinned <= set(satsuma.__all__) <= set(dir(satsuma))
    assert all(hasattr(satsuma, name) for name in satsuma.__all__)
    assert not hasattr(satsuma, "nothing")
