"""A bare outcome of one pet, after a look at all of them: 仨一块儿体检的，豆豆牙结石，花生胖了，咪咪啥事没有."""

import re
from collections.abc import Iterator

from domain.offline.extractor.reading import Draft, Reading, Scene

_BARE = re.compile(
    r"\x00+(?:那边|这边|的|呢|倒是?|也|就|都|则|却|是|查出来|结果|各项|指标)*"
    r"(?:(?:啥|什么|半点|一点|屁)?(?:事|毛病|问题|异常)(?:儿)?(?:都|也)?没有?|没(?:啥|什么|有|查出)?(?:大)?(?:事|问题|毛病|异常|东西)|[全都](?:是)?阴|阴性?"
    r"|(?:一切|全都?|都)?(?:正常|健康|达标|合格|过关)|干干净净|干净|好好的|挺好|满分|全绿|空的|啥也没(?:有|查出))(?:的|了|儿|呢|得很)*"
)
_NAMED_LOOK = re.compile(r"过敏原|体检|化验|筛查|b超|抽血|牙片|片子|彩超|ct|粪检|粪便|尿检")
_LOOKED = re.compile(r"[验测查做抽拍照量听]了(?!绝|美容|手术|造型|操)")
_NO_TEST = ("neutering", "surgery", "dental", "grooming")
REACH = 5  # clauses back to the look at all of them


def find_result_beside(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """At most one claim; nothing where the clause says more than that all is well."""
    if len(scene.utterance.pets) < 2 or not reading.about.explicit or _BARE.fullmatch(reading.text) is None:
        return
    for earlier in reversed(scene.readings[max(0, reading.place - REACH) : reading.place]):
        if len(earlier.about.pets) < 2 or not earlier.usable:
            continue
        looks = [hit for hit in earlier.hits if hit.family in ("visit", "lab") and hit.id not in _NO_TEST]
        named = _NAMED_LOOK.search(earlier.text)
        if looks or named or _LOOKED.search(earlier.text):
            about = looks[-1].word.text if looks else named[0] if named else ""
            yield Draft("visit:result", reading.start, reading.end, {"text": reading.text}, about=about)
        return
