"""Answers from a pet's profile: age, birthday, neutering, sex, breed."""

import re
from collections.abc import Callable
from datetime import date

from domain.offline.responder.wording import Dated
from domain.pet_profiles import PetProfile

MONTHS_A_YEAR = 12
YOUNG_MONTHS = 24  # below it an age is told in months

_NUMBER = r"(?:\d{1,2}|[一二两三四五六七八九十]{1,3})"
_OR_NOT = r"(?:吧|吗|么|对吧|对吗|对不对|是吧|没错吧)(?:$|[?？])"
_ONE_SEX = r"(?:[公母]的?|男孩|女孩|弟弟|妹妹|小?[公母][猫狗])"
_ONE_KIND = r"(?:一?只)?[^,。?是有个]{1,5}(?:狗|犬|猫|串串)"
_SEXES = {"male": "公的", "female": "母的"}


def _age(pet: PetProfile, today: date) -> str:
    born = pet.born_on
    if born is None:
        return ""
    months = (today.year - born.year) * MONTHS_A_YEAR + today.month - born.month - (today.day < born.day)
    if months < 0:
        return ""
    age = f"{months}个月" if months < YOUNG_MONTHS else f"{months // MONTHS_A_YEAR}岁"
    return f"{pet.name}是{_born(born)}出生的，现在大约{age}。"


def _birthday(pet: PetProfile, today: date) -> str:
    return f"{pet.name}是{_born(pet.born_on)}出生的。" if pet.born_on else ""


def _born(born: date) -> str:
    """A profile does not say how exact its date is: the first of a month or year may only stand for it."""
    if (born.month, born.day) == (1, 1):
        return Dated(born, "year").text
    return Dated(born, "month" if born.day == 1 else "day").text


def _neutered(pet: PetProfile, today: date) -> str:
    if pet.neutered is None:
        return ""
    return f"档案里写的是{pet.name}{'已绝育' if pet.neutered else '没绝育'}。"


def _sex(pet: PetProfile, today: date) -> str:
    return f"{pet.name}是{_SEXES[pet.sex]}。" if pet.sex in _SEXES else ""


def _breed(pet: PetProfile, today: date) -> str:
    return f"{pet.name}是{pet.breed}。" if pet.breed else ""


_QUESTIONS: tuple[tuple[re.Pattern[str], Callable[[PetProfile, date], str]], ...] = (
    (
        re.compile(
            rf"几岁|多大(?:了|年纪|岁数|$|[?？])|年龄|几个月大|多少岁|高龄|{_NUMBER}岁(?:多|半)?(?:了|大)?(?:{_OR_NOT}|还是{_NUMBER})"
        ),
        _age,
    ),
    (re.compile(r"生日|哪年生|什么时候(?:出)?生|哪天(?:出)?生|几月(?:出)?生|出生"), _birthday),
    (
        re.compile(
            rf"公的?还是母|公母|公的母的|性别|男孩女孩|男孩还是女孩|男的女的|弟弟还是妹妹|是不是{_ONE_SEX}|是{_ONE_SEX}{_OR_NOT}"
        ),
        _sex,
    ),
    (re.compile(rf"什么品种|啥品种|哪个品种|什么品|品种是|是不是{_ONE_KIND}$|是{_ONE_KIND}{_OR_NOT}"), _breed),
)


def profile_answer(text: str, pet: PetProfile, today: date) -> str:
    """The sentence that answers `text` from the profile, "" when it asks something else."""
    return next((answer(pet, today) for pattern, answer in _QUESTIONS if pattern.search(text)), "")


def neutering_known(pet: PetProfile, today: date) -> str:
    """What the profile says about neutering, "" when it says nothing."""
    return _neutered(pet, today)
