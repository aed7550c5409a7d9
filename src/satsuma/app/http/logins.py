"""Logins: who may come in. A link holds a token that works once, and becomes a session cookie."""

from collections.abc import Callable
from secrets import token_urlsafe

from satsuma.app.refusal import Refusal

#: Browsers at once, and links that nobody has used.
_MOST = 1000


class Logins:
    """Tokens that have not been used, and the cookies of browsers that have used one.

    Parameters
    ----------
    name
        Of the person who comes in first; the others are asked.
    used
        Called with a new token when one was used.

    Examples
    --------
    >>> logins = Logins("Ada")
    >>> token = logins.new_token()
    >>> cookie = logins.use(token)
    >>> logins.use(token) is None, logins.who(cookie)
    (True, 'Ada')
    """

    def __init__(self, name: str = "", used: Callable[[str], object] | None = None) -> None:
        self._tokens: set[str] = set()
        self._gone: set[str] = set()
        self._names: dict[str, str] = {}
        self._first, self._used = name, used

    def new_token(self) -> str:
        """A token that lets one browser in, once."""
        if len(self._tokens) >= _MOST:
            raise Refusal(409, "There are too many links that nobody has used.")
        made = token_urlsafe(32)
        self._tokens.add(made)
        return made

    def use(self, token: str) -> str | None:
        """A cookie for a token; None if it is no token, or was used."""
        if token not in self._tokens or len(self._names) >= _MOST:
            return None
        self._tokens.remove(token)
        self._gone.add(token)
        cookie = token_urlsafe(32)
        self._names[cookie] = self._first
        self._first = ""
        if self._used is not None:
            self._used(self.new_token())
        return cookie

    def was_used(self, token: str) -> bool:
        """Whether a token has let somebody in; otherwise it never was one here."""
        return token in self._gone

    def who(self, cookie: str | None) -> str | None:
        """The name behind a cookie: empty if none was given yet, None if it is no cookie."""
        return None if cookie is None else self._names.get(cookie)

    def rename(self, cookie: str, name: str) -> None:
        """Give a name to whoever has a cookie."""
        self._names[cookie] = name
