"""Allergies: 对鸡肉过敏, 一吃牛肉就吐, 从来没有对羊肉过敏, 偷吃了鸡胸肉没啥反应."""

import re
from collections.abc import Iterator
from dataclasses import replace

from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.wordlist import Hit
from memory.vocabulary import AttributeClass, Certainty, SpeechAct

SUBSTANCES = ("food", "allergen", "drug", "drug_name", "vaccine", "dewormer", "brand", "drug_word")
_WORD = re.compile(
    r"(?:(?<=[^容易肠胃很太比较])敏感(?!肌|体质|期|的时候|度)(?=$|,)|(?<!抗)过敏(?!原检测|药|源检测|性皮炎)|不耐受|不耐(?=$|[,，。]|医生|大夫|兽医|不|别|忌|禁|所以)|脱敏(?!针|治疗|疫苗|注射|药)"
    r"|(?<=对)[^,。]{1,8}?(?:(?:起|有|出|产生)(?:了|过|点|严重|很大|不良|急性|强烈|过敏)*反应(?!慢|快|迟)|反应(?:特别|很|太|比较|挺|好|非常)*(?:大|重|严重|厉害)|不良反应)|(?<=[吃打用])[^,。没无看防怕]{1,6}?(?<!没)(?<!没有)(?:有|出现)?不良反应)"
)
_REACTION = (
    r"(?:起疙瘩|起风团|疙瘩|吐|拉稀|拉肚子|拉|软便|痒|挠|起疹|起红|红|肿"
    r"|掉毛|流泪|长黑下巴|起包|抓|疹|窜稀|打喷嚏|腹泻|舔爪|甩头|耳朵|休克|抽搐|晕|口吐白沫|呼吸困难|喘|瘫|不舒服|难受|发烧|没精神|窜|便血|肿成)"
)
_TAKEN = r"(?:一|每次|只要|一旦)?(?:吃|碰|喝|喂|闻|沾|打|用|滴|接触)(?:了|到|过|完|上)?"
_ONCE_EATEN = re.compile(
    rf"{_TAKEN}[^,。]{{0,12}}?(?:就|(?<!那)(?<!这)会|老|总|都会|必|准|肯定|保准|立马)[^,。]{{0,6}}?{_REACTION}"
    rf"|{_TAKEN}[^,。]{{0,4}}?(?:浑身|全身|满身|满脸|一身|脸上?|嘴巴?|眼睛?)[^,。]{{0,4}}{_REACTION}"
)
_UNKNOWN_SUBSTANCE = re.compile(
    r"对([^,。\x00]{1,6}?)(?:轻微|严重|有点|有些|比较|特别|很|好像|可能|不|没有|也|都|会)*(?:过敏|敏感)|对([^,。\x00]{1,5}?[药针苗素膏剂酮仑唑泰霉沙星林])(?:会|也|都|还)*(?:[起有出](?:了|过|严重|不良|急性)*)?(?:不良)?反应"
)
_NOT_ALLERGIC = re.compile(
    r"(?:(?<!是)不(?!是不)|没(?!准)有?|不会(?!是)|从没|从未|未|并不|不再|排除)(?:[^,。]{0,8})?(?:过敏|不耐受)|过敏(?:已经)?(?:好了|没了|是误|是假)|过敏[^,。]{0,8}(?:瞎猜|乱说|误会|误诊|误判|[猜搞弄记看]错|瞎说|乌龙|冤枉)|脱敏(?:成功|了)"
)
_NO_REACTION = re.compile(
    r"没(?:啥|什么|有|任何|出现|起)?(?:任何)?(?:反应|过敏|疹|红|痒|吐|拉|不良)|(?:啥|什么)(?:事|反应)(?:都|也)?没|没事|好好的|没问题|没毛病|一点事没|都正常|安然无恙"
)
_CLEAR_NO_REACTION = re.compile(r"反应|过敏|疹|痒|没红")
_ATE = re.compile(r"吃|试|喂|舔|偷|尝|喝|啃")
_FORBIDDEN = re.compile(r"(?:不能|别|不可以|不许|千万别|不敢|禁止|碰不得|不让)(?:再)?(?:吃|碰|喂|沾|给)")


_OF_ITS_HAIR = re.compile(
    r"(?:吸|闻|碰|摸|沾|抱|挨)[到着上]?(?:猫|狗|\x00+)[^,。]{0,2}(?:毛|皮屑|口水|唾液)[^,。]{0,3}就"
)  # people do


def find_allergies(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """Allergies that a clause states or denies, and allergens eaten without harm (an observation, not a denial)."""
    if _OF_ITS_HAIR.search(reading.text):
        return
    if any(hit in reading.used for hit in reading.hits) and "过敏" in reading.text:
        return  # the owner's own
    word = _WORD.search(reading.text)
    graded = _GRADE.search(reading.text)
    if graded and _ALLERGY_TEST.search(scene.folded[: reading.end]):
        yield from _tested(reading, graded[0])
    elif word:
        yield from _stated(reading, scene)
    elif "过敏" in scene.folded and (_names_another(reading) or _stands_against(reading, scene)):
        yield from _renamed(reading, scene)
    elif _ONCE_EATEN.search(reading.text) or (_IT_REACTS.search(reading.text) and re.search(_REACTION, reading.text)):
        yield from _reacted(reading, scene)
    elif because := _why_kept_away(reading, scene):
        yield from _kept_away(reading, because)
    elif unsettled := _CANNOT_TAKE.search(reading.text):
        reading.used.update(reading.hits)
        name = {"name": unsettled[0]}
        yield Draft("symptom:intolerance", reading.start, reading.end, name, cls=AttributeClass.SYMPTOM)
    else:
        yield from _harmless(reading, scene)


_CANNOT_TAKE = re.compile(
    r"(?:有点|好像|似乎|可能|是不是|会不会|兴许|大概|怕是|估计|别是|恐怕|八成|没准)[^,。]{0,5}(?:受不了|受不住|扛不住|消化不了|克化不[了动]|招架不住|享受不[了来]|降不住|吃不消|吃不了|喝不了)[^,。\x00]{1,6}|(?:跟|和|对)[^,。\x00]{2,10}(?:犯冲|相冲|不服|不对付)|(?:有点|好像|似乎|可能|是不是|会不会)[^,。]{0,3}(?:闻|碰|沾|吃|用)不(?:得|了)[^,。\x00]{1,6}|(?:好像|似乎|可能|是不是|会不会)[^,。]{0,3}不(?:太|大|怎么|咋)?(?:能吃|能喝|吃得了|吃得|喝得了|受得了)[^,。\x00]{1,6}|(?:受不了|不适应|不服|吃不消|不习惯|吃不惯|用不惯)[^,。\x00]{0,3}(?:(?:新|刚)?(?:换|买|开|加)的|[这那][款个种袋批])[^,。\x00]{1,6}"
)  # 受不了新换的冻干
_ITS_LIST = re.compile(r"^(?:原|的)*(?:有|是|:|包括)")  # 过敏的有A、B


def _allergic_to(reading: Reading) -> list[Hit]:
    """The substances of a statement; 牛肉过敏吃鸭肉粮 says that the duck is eaten."""
    substances, word = _substances(reading), _WORD.search(reading.text)
    before = [hit for hit in substances if word and hit.start - reading.start < word.start()]
    listed = word is not None and _ITS_LIST.match(reading.text[word.end() :]) is not None
    return before if before and not listed and "不是" not in reading.text else substances


def _stated(reading: Reading, scene: Scene) -> Iterator[Draft]:
    substances = _allergic_to(reading)
    reading.used.update(reading.of("grooming"))  # 对新换的洗澡香波过敏
    contrasted = _IS_NOT.search(reading.text) is not None and not _NO_SUCH.search(reading.text)
    negated = _NOT_ALLERGIC.search(reading.text) is not None or _was_overcome(reading, scene)
    for hit in substances:
        reading.used.add(hit)
        if contrasted:
            nearest = _NEAREST_IS.findall(reading.text[: hit.start - reading.start])
            yield _allergy(reading, hit, nearest[-1:] == ["不是"], SpeechAct.CORRECTION)
        else:
            yield _allergy(reading, hit, negated, None)
    if not substances:
        yield from _unknown_substance(reading, negated)


_ONCE = re.compile(r"以前|之前|原来|小时候|从前|原先|曾经|去年")
_OVERCOME = re.compile(r"阴性|(?:已经|现在|后来)?(?:不过敏|没反应|没事|好了|脱敏)")


def _was_overcome(reading: Reading, scene: Scene) -> bool:
    """以前对牛肉过敏，重新测已经阴性了: over, by the clause that follows."""
    following = scene.next_of(reading)
    if following is None or following.hits or following.about.pets != reading.about.pets:
        return False
    return _ONCE.search(reading.text) is not None and _OVERCOME.search(following.text) is not None


_NO_SUCH = re.compile(r"不是(?:真的?|什么|啥)?过敏")  # 对牛奶不是过敏
_NEAREST_IS = re.compile(r"不是|是")
_IS_NOT = re.compile(r"(?<!是)不是")  # 是不是 asks
_NO_MATTER = re.compile(r"人|声|响|动静|雷|铃|动作|情绪|变化|环境|表情|语气|男|女|孩")
_NO_SUBSTANCE = frozenset({"什么", "啥", "它", "他", "她", "这个", "那个", "我"})
_BARE_SUBSTANCE = re.compile(
    r"^\x00+(?:是|有|也|应该|可能|怀疑|好像|疑似|还|就)*([^,。\x00对是有没不又老最突从一]{2,5}?)过敏(?!原|源|药|史|性|反应|测|检)"
)  # 麻药过敏, without 对
_PARTS_AND_TIMES = re.compile(
    r"皮肤|耳|眼|脸|肚|嘴|爪|季节|最近|这两天|今天|昨天|经常|容易|严重|轻微|换季|春天|夏天|秋天|冬天|啥都|什么都"
)
_QUALIFIED = re.compile(r"^(?:新换的|新买的|刚换的|他们[^,。]{0,2}那款|那款|那种|某种|那个|这个|这款|这种|家里的)")


def _unknown_substance(reading: Reading, negated: bool) -> Iterator[Draft]:
    """对X过敏 with an X that no list holds."""
    named = _UNKNOWN_SUBSTANCE.search(reading.text) or _BARE_SUBSTANCE.search(reading.text)
    place = named.lastindex if named and named.lastindex else 1
    said = named[place] if named else ""
    if "过敏" not in reading.text and _NO_MATTER.search(said):
        return  # 对穿制服的人敏感 is a habit
    if named and said not in _NO_SUBSTANCE and not _PARTS_AND_TIMES.search(said):
        start, end = reading.start + named.start(place), reading.start + named.end(place)
        reading.used.update(hit for hit in reading.hits if start <= hit.start < end)
        name = _QUALIFIED.sub("", said) or said
        value = {"substance": name, "substance_name": name}
        certainty = Certainty.HEDGED if _SUSPECTED.search(reading.text) else None
        yield Draft(f"allergy:{name}", reading.start, reading.end, value, negated, certainty=certainty)


_SUSPECTED = re.compile(r"怀疑|疑似|可能|好像|是不是|会不会|估计")


MAX_AFTER_RENAMED = 3  # characters; "是那批罐头变质了" says something else of the food
_NOT_BUT = re.compile(r"^\x00*(?:其实|应该|并)?不是[^,，。]{1,6}?[,，]?(?:而|应该|其实)?是")  # 不是玉米，是大豆
_BUT_NOT = re.compile(r"^\x00*(?:应该|其实)?是?[^,，。]{1,6}[,，]?(?:而)?不是[^,，。]{1,6}$")  # 玉米，不是小麦
_IT_IS = re.compile(r"^\x00*(?:应该|其实|确实|就|可能|好像|原来|真正|我看)*是")


def _names_another(reading: Reading) -> bool:
    return any(form.search(reading.text) for form in (_IT_IS, _NOT_BUT, _BUT_NOT))


def _stands_against(reading: Reading, scene: Scene) -> bool:
    """过敏原更正：玉米，不是小麦: the one word of a clause, and in the next what it is not."""
    following = scene.next_of(reading)
    alone = [hit for hit in _substances(reading) if reading.text.strip("\x00") == hit.word.text]
    return bool(alone) and following is not None and re.match(r"(?:而)?不是", following.text) is not None


def _renamed(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """应该是甲硝唑, after an allergy was spoken of: the allergy is to this."""
    set_against = _BUT_NOT.search(reading.text) or _stands_against(reading, scene)
    if set_against and (first := _substances(reading)[:1]):
        reading.used.update(first)
        yield _named_so(_allergy(reading, first[0], negated=False, act=SpeechAct.CORRECTION), reading)
        return
    named = _NOT_BUT.search(reading.text) or _IT_IS.search(reading.text)
    after = [hit for hit in _substances(reading) if named and hit.start - reading.start >= named.end()]
    for hit in after[:1]:
        rest = reading.text[hit.end - reading.start :]
        if named and hit.start - reading.start - named.end() <= 2 and len(rest) <= MAX_AFTER_RENAMED:
            reading.used.add(hit)
            yield _named_so(_allergy(reading, hit, negated=False, act=SpeechAct.CORRECTION), reading)


def _named_so(draft: Draft, reading: Reading) -> Draft:
    """其实是奶酪 leaves out what it is; the line must name it."""
    return draft if "过敏" in reading.text else replace(draft, about="过敏")


_ALLERGY_TEST = re.compile(
    r"(?:检测|化验|筛查)(?:的)?(?:报告|结果|单子?)[^,。]{0,4}[::,][^,。]{1,8}(?:[一二三四五六\d]级|阳性)|不耐受[^,。]{0,3}(?:出|结果|报告|检测|单)|过敏原|斑贴|皮试|点刺|皮内|激发试验|过敏检测|排除试验|脱敏|排除饮食"
)
_GRADE = re.compile(
    r"(?:强|弱)?阳(?!台|光)性?|临界|阴(?:性|的)|[0零]级|[一二三四五六\d][级+]|\+{1,4}|-(?=$|[,、])|(?:没|无)(?:有)?(?:反应|过敏|事$)|不过敏|[高中低轻重]度"
)


_GRADED = re.compile(
    r"^\x00*(?:对|就是|只有)?([\u4e00-\u9fff]{2,5}?)(?:是|也|都)?(?:强|弱)?(?:阳|阴|临界|[一二三四五六\d]级|[没无]反应)"
)  # 屋尘弱阳, a substance that no list holds


def is_allergy_test(folded: str) -> bool:
    """Whether a message tells what an allergy test found: the word for the test, then substances with grades."""
    tested = _ALLERGY_TEST.search(folded)
    return tested is not None and _GRADE.search(folded, tested.end()) is not None


def _is_negative(grade: str) -> bool:
    return grade[0] in "阴0零没无不-"


def _own_grade(reading: Reading, hit: Hit, substances: list[Hit]) -> str:
    """The grade between a substance and the next one: 鸡蛋强阳性、马铃薯阴性."""
    later = min((other.start for other in substances if other.start > hit.start), default=reading.end)
    own = _GRADE.search(reading.text, hit.end - reading.start, later - reading.start)
    return own[0] if own else ""


def _tested(reading: Reading, grade: str) -> Iterator[Draft]:
    """A line of an allergy test: 尘螨三级阳性, 牛肉阴性."""
    substances = _substances(reading)
    for hit in substances:
        reading.used.add(hit)
        yield _allergy(reading, hit, negated=_is_negative(_own_grade(reading, hit, substances) or grade), act=None)
    if not substances and (named := _GRADED.search(reading.text)):
        value = {"substance": named[1], "substance_name": named[1]}
        yield Draft(f"allergy:{named[1]}", reading.start, reading.end, value, _is_negative(grade))
    reading.used.update(reading.of("visit", "lab") if "检测" not in reading.text else [])


def _reacted(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """一吃X就Y: an intolerance shown by what it does."""
    substances = [hit for hit in _substances(reading) if hit.family in ("food", "allergen", "drug", "brand")]
    about = ""
    if not substances and _IT_REACTS.search(reading.text):
        substances = _eaten_before(reading, scene)[-1:]
        about = substances[0].word.text if substances else ""
    for hit in substances[:2]:
        reading.used.update({hit, *reading.of("sign")})
        yield replace(_allergy(reading, hit, negated=False, act=None), about=about)


_IT_REACTS = re.compile(
    r"^(?:上[回次]|那[回次]|有[回次]|之前)?(?:唯独|只有|就|偏偏)?\x00*(?:一)?(?:吃|碰|喝|舔|沾|尝)(?:了|过)?(?:[一两几半]?(?:小|大)?(?:口|点|勺|块|片|根|粒|颗|下))?(?:了|完|过)?(?:眼|就|会|必|准|肯定|保准|起|一身|出|浑身|全身|满身|满脸|直|狂|立马|马上|脸|嘴|耳|老|总|肚皮|肚子|身上|下巴|脖子|腿|爪|屁股|鼻)|(?:一|每次)(?:吃|碰|喝|沾)就|(?:吃|碰|喝)(?:了|完)就|(?:吃|碰|喝|沾)一[回次口][^,。]{0,8}一[回次]"
)


def _eaten_before(reading: Reading, scene: Scene) -> list[Hit]:
    """Foods of the two clauses before, whoever ate them."""
    place = reading.place
    earlier = [other for other in scene.readings[max(0, place - 2) : place] if other.usable]
    return [hit for other in earlier for hit in other.hits if hit.family in ("food", "allergen", "brand")]


_KEPT_AWAY = re.compile(
    rf"{_FORBIDDEN.pattern}|(?:吃|碰|沾)不(?:得|了)|(?:先|全|都|要)?(?:停|戒|断)(?:了|掉|吃)|(?:停|戒|断)(?=[^,。]{{1,6}}$)|(?:不|没)(?:再)?(?:给|喂|敢给)"
)
_IT_IS_ALLERGY = re.compile(r"过敏(?!原|源|药|性|期|季|体质|针|检|测|史)|不耐受")
_NOT_OF_FOOD = re.compile(r"皮肤过敏|季节|花粉|尘螨|药物过敏|环境")


def _why_kept_away(reading: Reading, scene: Scene) -> Reading | None:
    """The clause beside this one that gives an allergy as the reason: 别喂鸡肉了，过敏."""
    if not _KEPT_AWAY.search(reading.text):
        return None
    for other in (scene.next_of(reading), scene.previous_of(reading)):
        if other is None or other.about.pets != reading.about.pets or other.sentence != reading.sentence:
            continue
        says = _IT_IS_ALLERGY.search(other.text) and not _NOT_ALLERGIC.search(other.text)
        if says and not _NOT_OF_FOOD.search(other.text) and not _substances(other) and other.tone.usable:
            return other
    return None


def _kept_away(reading: Reading, because: Reading) -> Iterator[Draft]:
    certainty = Certainty.HEDGED if _SUSPECTED.search(because.text) else None
    for hit in _substances(reading):
        if hit.family in ("food", "allergen"):
            reading.used.add(hit)
            told = replace(_allergy(reading, hit, negated=False, act=None), certainty=certainty)
            yield replace(told, start=min(told.start, because.start), end=max(told.end, because.end))


def _harmless(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """An allergen that was eaten and did nothing; the harmless outcome may stand in the next clause."""
    if not _ATE.search(reading.text) or _FORBIDDEN.search(reading.text):
        return
    following = scene.next_of(reading)
    outcome = reading.text + (following.text if following and following.about.pets == reading.about.pets else "")
    if not _NO_REACTION.search(outcome):
        return
    for hit in _substances(reading):
        if hit.word.allergen and (
            _CLEAR_NO_REACTION.search(outcome) or _is_known(scene, reading, hit) or _is_set_against(reading, scene)
        ):
            reading.used.update({hit, *_of_no_reaction(reading)})
            if following and not _NO_REACTION.search(reading.text):
                following.used.update(following.hits)
            certainty = Certainty.HEDGED if re.search(r"应该|好像|可能|估计", outcome) else None
            yield replace(_allergy(reading, hit, True, SpeechAct.OBSERVATION), certainty=certainty)


def _is_set_against(reading: Reading, scene: Scene) -> bool:
    """对虾过敏，鱼怎么吃都没事: what it is not allergic to, beside what it is."""
    previous = scene.previous_of(reading)
    return previous is not None and "过敏" in previous.text and previous.about.pets == reading.about.pets


def _of_no_reaction(reading: Reading) -> list[Hit]:
    """没啥反应 says that nothing came of it, not that the pet is dull."""
    said = _NO_REACTION.search(reading.text)
    place = reading.start + said.start() if said else 0
    return [hit for hit in reading.of("sign") if said and place <= hit.start < reading.start + said.end()]


def _is_known(scene: Scene, reading: Reading, hit: Hit) -> bool:
    slot = f"allergy:{hit.word.allergen}"
    return any(fact.attribute == slot and fact.subject in reading.about.pets for fact in scene.utterance.known)


_MADE_OF_IT = frozenset({"罐头", "主食罐", "冻干", "肉干", "猫条", "狗粮", "猫粮", "饼干", "泥", "汤", "味"})


def _substances(reading: Reading) -> list[Hit]:
    """What may be reacted to; 金枪鱼罐头 is the tuna."""
    hits = [hit for hit in reading.of(*SUBSTANCES) if hit.word.text not in ("粮", "药", "饭", "肉", "零食")]
    ends = {hit.end for hit in hits}
    return [hit for hit in hits if not (hit.word.text in _MADE_OF_IT and hit.start in ends)]


def _allergy(reading: Reading, hit: Hit, negated: bool, act: SpeechAct | None) -> Draft:
    substance = hit.word.allergen or hit.id
    name = "虾" if hit.word.text == "对虾" else hit.word.text  # 豆豆对虾过敏 names no kind of shrimp
    value = {"substance": substance, "substance_name": name}
    certainty = Certainty.HEDGED if _SUSPECTED.search(reading.text) else None
    return Draft(f"allergy:{substance}", reading.start, reading.end, value, negated, act=act, certainty=certainty)
