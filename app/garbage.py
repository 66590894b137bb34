"""The garbage collector of a serving process: what was loaded at the start stays and is not walked again and again."""

import gc

THRESHOLDS = (10_000, 20, 20)  # containers made before a collection; younger ones before an older one


def leave_out_what_stays() -> None:
    """Collect once, then take the sheets, patterns and modules that stay for good out of every later collection.

    For a process that serves from now on, once all its parts are open, and for no other: what is alive now is never
    collected again, so whoever opens and closes parts many times (the tests) would keep them all.
    `bench.chat_turns` shows what it is worth.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
