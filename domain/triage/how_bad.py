"""Whether an owner asks how bad a sign is, or if it needs a vet. Pure."""

import re

from memory.text_folding import fold_text

_WHETHER = r"(?:要不要|用不用|需不需要|该不该|是不是(?:该|要|得|应该)|有没有必要)"
_MUST = r"(?:需要|应该|有必要|必须|用|得|要)"
_TO_A_VET = (
    r"(?:(?:带(?:[它他她去着])*)?(?:去|上|看|跑|送|找|叫|挂|到)[^,。?]{0,4}?(?:医院|医生|兽医|大夫|急诊|诊所)"
    r"|就医|就诊|看病)"
)
_HOW_BAD = re.compile(
    rf"{_MUST}[^,。?]{{0,6}}?{_TO_A_VET}[^,。?]{{0,4}}(?:[吗么嘛不吧呢]|[?？])|{_WHETHER}[^,。?]{{0,6}}?{_TO_A_VET}"
    r"|严重[吗么不嘛]|严不严重|要紧[吗么不嘛]|要不要紧|碍事[吗么不]|没(?:什么)?(?:大)?事[吧吗]|不会有(?:什么)?(?:大)?事吧"
    r"|有(?:没有)?事[吗么]|会不会(?:有事|出事|死)|有(?:没有)?(?:生命)?危险|危险[吗么不]|问题大[吗么不]|大问题[吗么]"
    r"|(?:能|可以|可不可以|能不能|先)(?:再|先)?(?:等等?|观察|缓缓?|拖)[^,。?]{0,6}(?:[吗么不吧]|[?？]|$)"
    r"|还(?:要|用|得|需要)(?:去|看)(?:[吗么不吧]|[?？])"
    r"|(?:能|要)等到[^,。?]{1,6}(?:[吗么不]|[?？])"
)
_BY_PLAN = re.compile(r"疫苗|狂犬|[三四五六八]联|驱虫|复[查诊检]|体检|洗牙|绝育|拆线|结扎|指甲|美容")


def asks_how_bad(text: str) -> bool:
    """要不要去医院, 严重吗, 能再观察一天吗, asked of signs; what is done by a plan (该去打疫苗了吗) is none of it."""
    folded = fold_text(text)
    return bool(_HOW_BAD.search(folded)) and not _BY_PLAN.search(folded)
