import logging

import pytest

KEY, SECRET = "AKIAXYZZY", "se/cr+xyzzy"


class Bucket:
    """A bucket of a real S3 server on this machine."""

    def __init__(self, system, endpoint):
        self.system, self.endpoint = system, endpoint
        self.options = {"key": KEY, "secret": SECRET, "endpoint": endpoint}

    def put(self, path, content):
        with self.system.open_output_stream(f"shop/{path}", compression=None) as stream:
            stream.write(content)
        return f"s3://shop/{path}"


@pytest.fixture(scope="session")
def bucket():
    server_module = pytest.importorskip("moto.server", reason="there is no moto")
    from pyarrow.fs import S3FileSystem

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = server_module.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    endpoint = "http://{}:{}".format(*server.get_host_and_port())
    system = S3FileSystem(
        access_key=KEY, secret_key=SECRET, endpoint_override=endpoint, region="us-east-1",
        allow_bucket_creation=True,
    )  # fmt: skip
    system.create_dir("shop")
    yield Bucket(system, endpoint)
    server.stop()
