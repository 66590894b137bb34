"""Run the model server as a process of its own.

python -m tests.fakes.model_server [--port 9009] [--pace 0.03] [--stamped]
"""

import argparse

import uvicorn

from tests.fakes.model_server.played import PACE_S, played

PORT = 9009


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--pace", type=float, default=PACE_S, help="seconds between tokens")
    parser.add_argument("--stamped", action="store_true", help="answers tell when they were asked for, for benches")
    given = parser.parse_args()
    address = f"http://127.0.0.1:{given.port}/v1"
    print(f"a fake model listens: OPENAI_BASE_URL={address} OPENAI_API_KEY=fake PAWSIGNAL_MODEL=fake", flush=True)  # noqa: T201  # for the person who started it
    uvicorn.run(
        played(given.pace, stamped=given.stamped),
        host="127.0.0.1",
        port=given.port,
        lifespan="off",
        log_level="warning",
        ws="none",
    )  # type: ignore[arg-type]  # an ASGI application


if __name__ == "__main__":
    main()
