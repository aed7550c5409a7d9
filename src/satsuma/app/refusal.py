"""Refusal: a request that cannot be granted, and changes nothing."""

from satsuma.errors import SatsumaError


class Refusal(SatsumaError):
    """What is wrong with a request.

    Parameters
    ----------
    status
        Of HTTP: from 400 to 499.
    told
        What is wrong, for whoever made it.
    """

    def __init__(self, status: int, told: str) -> None:
        super().__init__(told)
        self.status, self.told = status, told
