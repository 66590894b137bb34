"""Which Chromium the browser tests drive. Without one they are not collected; the header of the run says so."""

import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium_path() -> str | None:
    """The browser in PATH; None when there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def chromium_line() -> str:
    """What the header of a test run says."""
    found = chromium_path()
    return (
        f"browser: {found}"
        if found
        else "browser: none, so the tests of the page /try do not run (no `chromium` in PATH)"
    )
