"""Doors: who may come in. A link works once, and turns into a cookie."""

from collections.abc import Callable
from secrets import token_urlsafe

from satsuma.app.refusal import Refusal

#: Browsers at once.
_MOST = 1000


class Doors:
    """Links that have not been used, and browsers that have used one.

    Parameters
    ----------
    name
        Of the person who comes in first; the others are asked.
    used
        Called with the word for a new link when one was used.

    Examples
    --------
    >>> doors = Doors("Ada")
    >>> word = doors.word()
    >>> cookie = doors.enter(word)
    >>> doors.enter(word) is None, doors.who(cookie)
    (True, 'Ada')
    """

    def __init__(self, name: str = "", used: Callable[[str], object] | None = None) -> None:
        self._words: set[str] = set()
        self._inside: dict[str, str] = {}
        self._first, self._used = name, used

    def word(self) -> str:
        """A word that opens the door once."""
        if len(self._words) >= _MOST:
            raise Refusal(409, "There are too many links that nobody has used.")
        made = token_urlsafe(32)
        self._words.add(made)
        return made

    def enter(self, word: str) -> str | None:
        """A cookie for a word; None if it is no such word, or was used."""
        if word not in self._words or len(self._inside) >= _MOST:
            return None
        self._words.remove(word)
        cookie = token_urlsafe(32)
        self._inside[cookie] = self._first
        self._first = ""
        if self._used is not None:
            self._used(self.word())
        return cookie

    def who(self, cookie: str | None) -> str | None:
        """The name of who has a cookie: empty if none was given yet, None if it is no cookie."""
        return None if cookie is None else self._inside.get(cookie)

    def call(self, cookie: str, name: str) -> None:
        """Give a name to who has a cookie."""
        self._inside[cookie] = name
