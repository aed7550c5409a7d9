from tests.data.database.conftest import postgresql

__all__ = ["postgresql"]
