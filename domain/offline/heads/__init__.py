"""Small trained heads over runs of letters: a second opinion on what the rules made of a message.

Three logistic regressions (scikit-learn), trained on this project's own utterances by `python -m bench.train_heads`
and shipped as a table of weights, `heads.json`: does the message tell anything of the household's pets or owner
(`nothing`), is this clause worth keeping (`keep`), and what is it about (`topic`). To run them is to look up and to
add. How they are used, and where they may not decide: `domain/offline/extractor/second_look.py`.
"""

from domain.offline.heads.table import About, Heads, load_heads

__all__ = ["About", "Heads", "load_heads"]
