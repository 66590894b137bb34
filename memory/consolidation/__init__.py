"""Sleep: what a night makes of the day. Seven phases, one file each: a pure plan, then a short apply in `applying`.

`collect` what is new, `filter` what was read in full already, `extract` what did not fit then, `classify` (facts
told twice, beliefs, repeated happenings), `decay` what faded, `archive` the topics that were touched, `snapshot` the
state afterwards. When a night may begin is `timing`; the run that is going on, and its lease, is `runs`; what it may
lose is `losses`; what a model may say is `answers_of_models`. The driver is a job; the diary is `memory.dreams`.

Every plan is a function of what is stored, so a second run over the same memories plans nothing.
"""
