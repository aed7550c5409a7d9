"""Text: the whole of a file, decoded strictly."""

import re
import zlib

from satsuma.data.files import Readable, label, open_bytes
from satsuma.errors import ReadError


def read_bytes(source: Readable) -> bytes:
    """All bytes of a file, decompressed.

    Examples
    --------
    >>> read_bytes(b"abc")
    b'abc'
    """
    with open_bytes(source) as stream:
        try:
            return stream.read()
        except (EOFError, zlib.error, OSError) as error:
            raise ReadError(
                f"the file cannot be read to its end: {error}",
                file=label(source),
                remedy="It may be cut short; fetch or write it again.",
            ) from None


def read_lines(source: Readable, encoding: str) -> list[str]:
    r"""The lines of a file without their ends, be these LF, CR LF or CR.

    Examples
    --------
    >>> read_lines(b"a\r\nb", "utf-8")
    ['a', 'b']
    """
    data = read_bytes(source)
    try:
        text = data.decode(encoding)
    except LookupError:
        raise ReadError(
            f"there is no encoding called {encoding!r}",
            file=label(source),
            remedy="Pass one that Python knows, such as 'latin-1', 'cp1252' or 'utf-16'.",
        ) from None
    except UnicodeDecodeError as error:
        raise ReadError(
            f"bytes that are not {encoding}",
            file=label(source),
            line=data.count(b"\n", 0, error.start) + 1,
            remedy="Pass its encoding, such as encoding='latin-1' or encoding='cp1252'.",
        ) from None
    return re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
