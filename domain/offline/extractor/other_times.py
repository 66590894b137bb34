"""A bare figure of another time beside one that has just been told: 3.6公斤，上个月3.4; 肌酐180，上次200. Pure."""

import re

from domain.offline.extractor.reading import Reading

_WHEN = re.compile(
    r"上一?[次回]|前一?[次回]|第[一二三]次|这[次回]|之前|以前|原来|原先|早先|开始|最初|最早|当时|那时候?|现在|后来"
    r"|[早晚]上|[上中下]午|傍晚|夜里|半夜|空腹|[早午晚]?[饭餐][前后]|[一二三四五六七八九十\d]{1,2}月份"
)
_FIGURE = re.compile(
    r"(?:时候?|的时候|那会儿?|那天|那次|[称测查量验]?的?|是|还|才|只|有|就|约|大概|差不多|都|也|值|到|在|\x00|:)*"
    r"(\d{1,3}(?:\.\d+)?)(?:左右|多|出头|来着|呢|了)?"
)
_AS_MUCH = 3.0  # times: a figure further off from the one beside it tells of something else


def figure_of_another_time(reading: Reading) -> str | None:
    """The figure of a clause that holds nothing but a time and it; None for any other clause."""
    if not any(character.isdigit() for character in reading.text):
        return None
    rest = reading.text
    for time in sorted(reading.times, key=lambda one: -one.start):
        if reading.start <= time.start and time.end <= reading.end and not time.quote[-1].isdigit():  # 晚上12
            rest = rest[: time.start - reading.start] + rest[time.end - reading.start :]
    without = _WHEN.sub("", rest)
    if rest == reading.text and without == rest:
        return None
    figure = _FIGURE.fullmatch(without.strip())
    return figure[1] if figure else None


def is_as_much(figure: float, beside: float) -> bool:
    """Whether two figures can be of one thing: 3.4 and 3.6, and not 3.6 and 20."""
    return 0 < figure <= beside * _AS_MUCH and beside <= figure * _AS_MUCH
