"""Refusal: a request that cannot be granted, and changes nothing."""

from satsuma.errors import SatsumaError


class Refusal(SatsumaError):
    """What is wrong with a request.

    Parameters
    ----------
    status
        The HTTP status of the reply.
    message
        What is wrong, for whoever made the request.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class NotSaved(Refusal):
    """An event that could not be put on disk; the page keeps it and sends it again.

    Parameters
    ----------
    message
        Why, and what to do.
    """

    def __init__(self, message: str) -> None:
        super().__init__(507, message)
