"""Whatever fits the published schemas (and much that does not) is answered, never with an unforeseen error.

Schemathesis makes the calls from the OpenAPI document and sends them over real HTTP to a real server, as an owner who
is signed in and has one of everything: calls carry ids that it made up, or the owner's own.
"""

from collections.abc import Iterator
from zlib import crc32

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from app.main import create_app
from app.settings import Settings
from tests.contract.service import Case, FuzzedHome, running_service

EXPECTED_503 = {"wechat_not_configured"}
EXAMPLES = 2  # a call, beside the hundreds that cover its schema
ONE_FAULT_IN = 3  # of the bodies with a fault, which are nine tenths of all; all calls together stay under a minute
MOST_THAT_NEVER_SUCCEED = 12  # of 138 calls: an undo with nothing to undo, a receipt of nobody, and the like
REFUSES_WITH_401 = {("POST", "/v1/auth/wechat"), ("POST", "/v1/auth/refresh")}
"""Calls whose handler itself says 401: to a code or a token that it does not know."""


document = create_app(Settings(env="test", _env_file=None)).openapi()
schema = schemathesis.openapi.from_dict(document)
schema.config.phases.coverage.unexpected_methods = set()  # 405 has tests of its own, and needs no thousand calls


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FuzzedHome]:
    """The household that all calls are made from. At the end nearly every call has succeeded at least once."""
    with running_service(tmp_path_factory.mktemp("fuzz")) as service, requests.Session() as session:
        home = FuzzedHome(service, session)
        yield home
        assert len(home.tried - home.done) <= MOST_THAT_NEVER_SUCCEED, home.tried - home.done


@schema.parametrize()
@hypothesis_settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_no_call_ends_in_an_unforeseen_error(case: Case, home: FuzzedHome) -> None:
    call, number = (case.method, case.path), crc32(repr((case.query, case.body)).encode())
    if case.meta is not None and case.meta.generation.mode.is_negative and number % ONE_FAULT_IN:
        return
    if call not in home.done or (case.method != "DELETE" and number % 2):
        case.path_parameters.update(home.own(case.path))
    answer = home.ask(case)
    signed = "Authorization" in answer.request.headers
    assert answer.status_code != 401 or not signed or call in REFUSES_WITH_401, "nobody is there to be refused"
    if answer.status_code >= 400:
        assert answer.headers["content-type"][0] == "application/problem+json"
        problem = answer.json()
        assert problem["status"] == answer.status_code
        assert answer.status_code < 500 or problem["code"] in EXPECTED_503, problem
