"""Phase 6, archive: summaries of what was touched are made anew, from their entries and never from summaries.

How is `memory.archives`, as rows `memory.archive_rows`; the job that drives it comes in through this port.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime

from memory.scope import Scope

Archives = Callable[[Scope, datetime], Awaitable[bool]]
"""Makes every stale summary of an owner anew. False: a model gave no usable text for one of them, which stayed as it
was and is tried again the next night."""
