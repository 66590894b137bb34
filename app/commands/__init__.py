"""One file a group of commands of `pawsignal`. A command gets its parsed arguments and returns an exit code."""

import argparse
from collections.abc import Callable

Command = Callable[[argparse.Namespace], int]


class CommandFailed(Exception):
    """A command could not do its work; the message is a sentence that says what to do."""
