"""What an owner calls a pet besides its name, told in this talk or known: 老墨岁数最大我们叫爷爷, 大橘是老大."""

import re
from collections.abc import Iterable

from domain.pet_roll import PetRoll
from memory.text_folding import fold_text

_ROLE_WORD = re.compile(r"(老[大二三幺]|哥哥|姐姐|弟弟|妹妹|大的|小的)(?:是|叫|就是)$")
_ROLE_TOLD = re.compile(r"(?:是|排|当|算)(老[大二三幺]|哥哥|姐姐|弟弟|妹妹|大的|小的)")
_ELDEST = re.compile(
    r"(?:的?(?:岁数|年纪|年龄|个头|个子))?最[大老](?!的?(?:毛病|问题|爱好|优点|特点|缺点|敌人|梦想|心愿|本事))"
)
_YOUNGEST = re.compile(r"(?:的?(?:岁数|年纪|年龄|个头|个子))?最小(?!的?(?:碗|号|码))")
_CALLED = re.compile(
    r"[^,。]{0,8}?(?:我们|大家|全家|家里|平时|都|我|咱)(?:都|就|平时|一般|管)*(?:叫|喊|称呼?|唤)(?:它|他|她)?(?:做|作|为)?([一-鿿]{2,4}?)(?=[,。!！的]|$)"
    r"|[^,。]{0,4}?(?:外号|绰号|小名|昵称)(?:就?是|叫)?([一-鿿]{2,4}?)(?=[,。!！的]|$)"
)
_KIN_OF = re.compile(
    r"(?:就?是|算|当)?(?:它|他|她|它俩|他俩|它们|老[二三]|小的|俩小的)?的?(?:亲)?(爸|妈|爷爷|奶奶|姥姥|姥爷)(?:爸|妈)?(?=[,。!！、和跟]|$)"
)
_KIN_WORDS = {"爸": ("爸爸", "老爸", "老爹", "当爸的", "当爹的"), "妈": ("妈妈", "老妈", "老娘", "当妈的", "当娘的")}
_NOT_CALLED = re.compile(r"[它他她我你了着过得]|一声|名字|不[停理来应]|半天|出来|回来|外卖")
_TELLS_A_WORD = re.compile(r"[叫喊称名号爸妈爷奶姥]")
OF_THE_ELDEST = ("老大", "大的", "老的")
OF_THE_YOUNGEST = ("老幺", "小的")


def told_roles(roll: PetRoll, texts: Iterable[str]) -> dict[str, str]:
    """Which pet the owner calls 老大, 妹妹, 爷爷, … where it was said ("我家老大是咪亚")."""
    told: dict[str, str] = {}
    for text in map(fold_text, texts):
        for mention in roll.names_in(text):
            if len(mention.pets) != 1:
                continue
            pet = mention.pets[0]
            before = _ROLE_WORD.search(text[max(0, mention.start - 5) : mention.start])
            if before:
                told[before[1]] = pet
            elif after := _ROLE_TOLD.match(text[mention.end : mention.end + 6]):
                told[after[1]] = pet
            if _ELDEST.match(text, mention.end):
                told |= dict.fromkeys(OF_THE_ELDEST, pet)
            elif _YOUNGEST.match(text, mention.end):
                told |= dict.fromkeys(OF_THE_YOUNGEST, pet)
    return told


def told_aliases(roll: PetRoll, texts: Iterable[str]) -> dict[str, str]:
    """Words of the owner's own for one pet: 爷爷, 老爷子, 胖墩."""
    told: dict[str, str] = {}
    for text in map(fold_text, texts):
        if not _TELLS_A_WORD.search(text):
            continue
        names = roll.names_in(text)
        for place, mention in enumerate(names):
            end = names[place + 1].start if place + 1 < len(names) else len(text)
            if len(mention.pets) == 1 and (kin := _KIN_OF.match(text, mention.end, end)):
                told |= dict.fromkeys(_KIN_WORDS.get(kin[1], (kin[1],)), mention.pets[0])
            called = _CALLED.match(text, mention.end, end) if len(mention.pets) == 1 else None
            word = (called[1] or called[2]) if called else ""
            if word and not _NOT_CALLED.search(word):
                told[word] = mention.pets[0]
    return told
