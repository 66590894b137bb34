"""Sentences in which an animal does what only people do, which makes them jokes: 豆豆明年要考上清华."""

import re

from domain.offline.extractor.clauses import Clause

PEOPLE = (
    "我爸|我妈|老爸|老妈|我老公|我老婆|老公|老婆|我对象|我弟|我妹|我姐|我哥|爸妈|公公|婆婆|奶奶|爷爷|同事|室友|朋友"
    "|我?(?:侄子|侄女|外甥女?|表[姐妹哥弟]|堂[姐妹哥弟]|姑姑|姑父|姨妈|小姨|叔叔|婶婶|舅舅|舅妈|嫂子|岳父|岳母|客人|领导)|闺蜜|邻居|老板|客服|领导|孩子|儿子|女儿|有人|我同学|房东"
)
# What befalls people only, or is far too grand for a pet: of an animal it is a joke, of a person an event of the day.
_GRAND = re.compile(
    r"满汉全席|米其林|帝王蟹|依云|相扑|诺贝尔|微积分|奥数|高数|地球(?:变暖|毁灭|爆炸)|是\x00+(?:充|付|交|还|供|租|挣|赚|出)的(?:钱)?(?=是|$)"
)
_MILESTONE = re.compile(r"考上|清华|北大|中(?:了)?(?:彩票|大奖)|暴富|离婚|净身出户|拆迁办|领证|升职|买房")
_A_PERSON = re.compile(rf"(?<![给跟和对陪])(?:我(?!家|们家)|咱|人家|{PEOPLE})")
_AN_ANIMAL = re.compile(r"\x00|它|(?<![铲养遛撸])[猫狗]")


def joked_about(clauses: list[Clause]) -> set[int]:
    """Sentences in which an animal does what only people do: 豆豆明年要考上清华. 儿子考上高中 is no joke."""
    joked: set[int] = set()
    animals: set[int] = set()
    for clause in clauses:
        told = _MILESTONE.search(clause.text)
        before = clause.text[: told.start()] if told else clause.text
        a_person = _A_PERSON.search(before) is not None
        if _AN_ANIMAL.search(before):
            animals.add(clause.sentence)
        elif told and a_person:
            animals.discard(clause.sentence)
        if (told and clause.sentence in animals) or (_GRAND.search(clause.text) and not a_person):
            joked.add(clause.sentence)
    return joked
