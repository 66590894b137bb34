"""What a model may ask for in a turn: `toolbox` runs a call; the tools are in `looking`, `writing` and `planning`.

A tool acts inside the owner's scope, with the owner's own words as its only evidence: what is written goes the way of
every spoken statement (grounding, conflict policy, records, confirmations), so no tool can do what a sentence of the
owner's could not. Arguments are checked (`arguments`); a mistake is answered in words and never ends the turn.
"""

from domain.tools.toolbox import Toolbox

__all__ = ["Toolbox"]
