"""The most anonymous memory that a process has had: what it allocated itself, no files and no shared libraries."""

import threading
from pathlib import Path

SAMPLE_S = 0.05


class MemoryWatch(threading.Thread):
    """Watches its own process from `start` to `stop`; `peak_mib` is the most it saw."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak_mib = _anonymous_mib()
        self._over = threading.Event()

    def run(self) -> None:
        while not self._over.wait(SAMPLE_S):
            self.peak_mib = max(self.peak_mib, _anonymous_mib())

    def stop(self) -> None:
        """Look no more."""
        self._over.set()
        self.join()


def _anonymous_mib() -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("RssAnon"))
