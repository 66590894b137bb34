"""How owners word what became of a habit: changed for good, true only at times, still so.

Extractors point such a sentence at the known line; the comparison of two lines of one habit reads it once more.
"""

import re

CHANGED = re.compile(
    r"(?:换|改|挪|调)(?:成|到|为|回|用|吃|喝|喂|去|了|期)|(?:推迟|延|提前)到|取消|定了|以后|从.{1,6}开始(?!.{0,2}前)"
)
AT_TIMES = re.compile(r"周末|周[一二三四五六日]|大热天|夏天|冬天|春天|秋天|下雨天|这次|这回|偶尔|有时|除了|不算|平时")
STILL_SO = re.compile(r"还是|依然|仍然|照旧|照样|一直|又开始|继续|同号|没变")
CANNOT_KEEP = re.compile(r"去不了|不去了|来不及|没法去|赶不上")
"""An appointment that will not be kept."""
