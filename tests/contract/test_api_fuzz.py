"""Whatever fits the published schemas (and much that does not) is answered, never with an unforeseen error.

Schemathesis makes the calls from the OpenAPI document and sends them over real HTTP to a real server.
"""

import threading
import time
from collections.abc import Iterator

import httpx
import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from app.main import create_app
from app.settings import Settings

EXPECTED_503 = {"wechat_not_configured"}
EXAMPLES = 4  # a call; all calls together stay under half a minute


class _Server(uvicorn.Server):
    """A server in a thread of its own, which leaves signals to pytest."""

    def install_signal_handlers(self) -> None:
        """Not ours to handle."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a service with an empty database listens."""
    settings = Settings(
        env="test",
        data_dir=tmp_path_factory.mktemp("fuzz"),
        embedder="none",
        requests_a_minute=1_000_000,
        _env_file=None,
    )
    server = _Server(uvicorn.Config(create_app(settings), port=0, log_config=None))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 60
    while not server.started:
        assert time.monotonic() < until, "the server did not start"
        time.sleep(0.05)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(30)


@pytest.fixture(scope="module")
def token(address: str) -> str:
    """The access token of an owner who has one pet."""
    signed_in = httpx.post(f"{address}/v1/auth/wechat", json={"code": "dev:fuzz"}).json()
    bearer = {"Authorization": f"Bearer {signed_in['access_token']}"}
    httpx.post(f"{address}/v1/pets", json={"name": "豆豆", "species": "dog"}, headers=bearer).raise_for_status()
    return str(signed_in["access_token"])


document = create_app(Settings(env="test", _env_file=None)).openapi()
schema = schemathesis.openapi.from_dict(document).exclude(path_regex="^/v1/auth|/try|/chat/turns")


@schema.parametrize()
@hypothesis_settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_no_call_ends_in_an_unforeseen_error(case: schemathesis.Case, address: str, token: str) -> None:
    answer = case.call(base_url=address, headers={"Authorization": f"Bearer {token}"})
    if answer.status_code >= 400:
        assert answer.headers["content-type"][0] == "application/problem+json"
        problem = answer.json()
        assert problem["status"] == answer.status_code
        assert answer.status_code < 500 or problem["code"] in EXPECTED_503, problem
