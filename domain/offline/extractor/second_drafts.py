"""What was told once is one line: a result or a condition in a clause of its own goes with the claim that it
completes, and a clause that says nothing by itself (再看看, 提醒我一声, 药名忘了) is no line.

Within one clause: `twins`."""

import re
from dataclasses import replace

from domain.offline.extractor.idle_talk import is_threat
from domain.offline.extractor.reading import Reading, Scene
from domain.offline.extractor.threads import MAX_LINE, Found
from domain.offline.extractor.twins import without_twins
from domain.pet_mentions import State
from domain.pet_roll import MentionKind
from memory.vocabulary import AttributeClass, Certainty

_PREVENTED = ("vaccine:", "deworming:")
_LOOSE = ("behavior:", "other:", "activity:")


def told_once(found: list[Found], scene: Scene) -> list[Found]:
    """The same readings without drafts that only repeat, complete or lead up to another one."""
    last: Found | None = None
    for place, one in enumerate(found):
        one.reading.reports = one.reading.reports and not _is_hollow(one.reading.text)
        if not one.drafts:
            if last is not None and _is_of_one_telling(last, one) and _is_done_only_when(last, one):
                _join(last, one)
            continue
        one.drafts = without_twins(one)
        if _says_nothing(one, last):
            one.drafts = []
        elif last is not None and _is_of_one_telling(last, one) and _completes(last, one):
            _join(last, one)
        if place:
            _take_in_what_is_planned(found[place - 1].reading, one)
        _drop_advice(one, found[place + 1 : place + 3])
        _drop_preface(one, found[place + 1 :])
        last = one if one.drafts else last
    _drop_jested(found, scene)
    _drop_mere_contrast(found)
    return found


def _is_of_one_telling(last: Found, one: Found) -> bool:
    same = last.reading.about.pets == one.reading.about.pets and last.reading.sentence == one.reading.sentence
    pointed = all(mention.kind is MentionKind.PRONOUN for mention in one.reading.about.mentions)
    return same and pointed and one.reading.place - last.reading.place <= REACH


REACH = 2  # clauses back to the claim that a clause completes


def _join(last: Found, one: Found) -> None:
    """The words of a clause go with the last claim before it, when the line does not get too long."""
    end = max((draft.end for draft in one.drafts), default=one.reading.end)
    if end - last.drafts[-1].start <= MAX_LINE:
        last.drafts = [*last.drafts[:-1], replace(last.drafts[-1], end=end)]
        one.drafts = []


def _completes(last: Found, one: Found) -> bool:
    return (
        _is_left_without_it(last, one)
        or _denies_again(last, one)
        or _shows_how_it_itches(last, one)
        or _is_done_only_when(last, one)
        or _is_what_came_of_the_habit(last, one)
        or _is_what_it_does(last, one)
        or _is_yet_to_be_looked_at(last, one)
        or _goes_on_answering(last, one)
        or _keeps_off_the_old_one(last, one)
        or _is_hurt_by_the_bite(last, one)
        or _is_how_it_is_afraid(last, one)
        or _is_the_owners_reaction(last, one)
        or _is_when_it_is_due(last, one)
        or _only_says_which(last, one)
        or _is_car_sick(last, one)
        or _AGE_THEN.fullmatch(one.reading.text) is not None
    )


_AGE_THEN = re.compile(
    r"\x00*(?:那阵儿?|那会儿?|当时|那年|那时候?)[^,。]{0,3}(?:也就|才|就|刚|不到)?[一二两三四五六七八九十\d]{1,3}(?:岁|个?月)(?:多|大|吧|左右)?"
)
_WHATEVER_IT_IS = re.compile(r"(?:不管|无论|甭管|管它)[^,。]{1,8}还是[^,。]{1,8}")


# ---- one clause after another

_MIXED_IN = re.compile(r"[拌盖浇淋泡混配兑撒]|加[一半点勺几了]")
_WITHOUT_IT = re.compile(
    r"\x00*(?:要是|一旦|如果)?(?:没有?|不(?:放|拌|加|给|兑|撒|盖)|光|少了)(?!事|问题|吐|拉)[^,。]*(?:不|没|走)"
)


def _is_left_without_it(last: Found, one: Found) -> bool:
    """拌一勺南瓜泥，没南瓜理都不理: that it must be there is told already."""
    fed = all(draft.attribute.startswith(("diet", "symptom:appetite")) for draft in one.drafts)
    mixed = last.drafts[-1].attribute.startswith("diet") and _MIXED_IN.search(last.reading.text) is not None
    return fed and mixed and _WITHOUT_IT.match(one.reading.text) is not None


_NEVER_WAS = re.compile(r"\x00*(?:从来?|压根儿?|根本|一直|从小)?(?:就|也|都)*没(?:有)?(?:[^,。]{0,3}过敏过?|过)")


def _denies_again(last: Found, one: Found) -> bool:
    """不是对虾皮过敏，从来没过敏过."""
    denied = all(draft.attribute.startswith("allergy:") and draft.negated for draft in last.drafts)
    again = all(draft.negated or draft.attribute.startswith(_LOOSE) for draft in one.drafts)
    return denied and again and _NEVER_WAS.fullmatch(one.reading.text) is not None


_WORN_OFF = re.compile(
    r"毛都?(?:没|秃|稀)了|毛[^,。]{0,4}(?:啃|舔|挠|蹭|磨|抓|咬|薅)[^,。]{0,3}(?:没|秃|光|断|掉|破|稀)|[块圈片]都?秃了?"
)
_ITCHES = ("symptom:itching", "behavior:licking", "symptom:hair_loss")


def _shows_how_it_itches(last: Found, one: Found) -> bool:
    """一闲下来就啃，脚背的毛都啃没了."""
    itches = last.drafts[-1].attribute.startswith(_ITCHES) and not last.drafts[-1].negated
    signs = all(draft.attribute.startswith("symptom:") and not draft.negated for draft in one.drafts)
    return itches and signs and _WORN_OFF.search(one.reading.text) is not None


_ONLY_WHEN = re.compile(
    r"\x00*(?:医生|大夫|兽医)?(?:说|讲|让|叫)?(?:得|要)?等[^,。]{2,14}(?:再|才)(?:打|用|吃|开|上|加|做|补|说)$"
)
_HELD_BACK = ("medication:", *_PREVENTED)


def _is_done_only_when(last: Found, one: Found) -> bool:
    """补血针先没打，等红细胞掉到20以下再打."""
    held = last.drafts[-1].attribute.startswith(_HELD_BACK)
    later = all(draft.attribute.startswith(("schedule:", "lab:", "visit:", *_HELD_BACK)) for draft in one.drafts)
    return held and later and _ONLY_WHEN.match(one.reading.text) is not None


_CAME_OF_IT = re.compile(
    r"(?:整[层栋]楼|全楼|楼上楼下|邻居|全家|一家人|我们?|全屋)[^,。]{0,3}被(?:它|他|她|\x00)*[^,。]{0,3}(?:嚎|吵|叫|闹|踩|舔|挠|拱|甩)醒"
    r"|(?:半夜|凌晨|天天)?(?:都)?(?:能|给|老)?把我[^,。]{0,2}(?:甩|吵|踩|舔|挠|嚎|叫|闹|拱)醒了?|尿了?(?:我|他|她)一(?:鞋|身|裤子|床|手|脸)|(?:地板|床单|沙发|衣服|地)上?(?:全是|都是|滴滴答答|湿了一片|到处)[^,。]{0,4}"
    r"|照样[啃吃睡玩][^,。]{0,4}"
)


def _is_what_came_of_the_habit(last: Found, one: Found) -> bool:
    """隔几分钟甩一回，半夜都能把我甩醒; 头一回抬腿，尿我一鞋."""
    shown = last.drafts[-1].attribute.startswith(("behavior:", "symptom:", "other:"))
    wet = all(draft.attribute.startswith((*_LOOSE, "symptom:urin", "symptom:inapp", "diet")) for draft in one.drafts)
    return shown and wet and _CAME_OF_IT.fullmatch(one.reading.text) is not None


_AFTER_TASTING = re.compile(
    r"(?:\x00|它|他|她)*(?:一|每次|上次|昨天)?(?:吃|喝|舔|沾|碰|闻)(?:完|了|过|着|到)?(?:一?[口下点]|两口|几口)?(?:就|会|准|老|都|满|浑身|全身|嘴|脸|下巴|耳朵)"
)
_KEPT_FROM = ("diet", "allergy:")


def _is_what_it_does(last: Found, one: Found) -> bool:
    """羊奶粉就它碰不得，喝完浑身起小包: why it must not have it."""
    before = last.drafts[-1]
    kept_from = before.attribute.startswith(_KEPT_FROM) and (before.negated or before.attribute.startswith("allergy:"))
    signs = all(draft.attribute.startswith("symptom:") and not draft.negated for draft in one.drafts)
    brief = len(one.reading.text) <= MAX_REACTION and not one.reading.times
    return kept_from and signs and brief and _AFTER_TASTING.match(one.reading.text) is not None


MAX_REACTION = 14  # characters of a clause that only tells what came of eating it
_NOT_LOOKED = re.compile(
    r"(?:我|\x00|片子|但|不过|也|都)*(?:还|一直)?没(?:顾上|顾得上|来得及|时间|空|工夫)?(?:带|抱)?(?:它|\x00)*(?:去)?(?:拍|查|看|做|照|检查)(?:片子?|医生)?(?:呢|过|了)?"
)


def _is_yet_to_be_looked_at(last: Found, one: Found) -> bool:
    """遛狗的大姐说髋可能不好，还没顾上去拍片: what others suspect has not been looked at."""
    doubted = (last.drafts[-1].certainty or last.reading.tone.certainty) is not Certainty.PLAIN
    visits = all(draft.attribute.startswith(("visit:", *_LOOSE)) for draft in one.drafts)
    return doubted and visits and _NOT_LOOKED.fullmatch(one.reading.text) is not None


def _goes_on_answering(last: Found, one: Found) -> bool:
    """有，就这家伙，凌晨三点准时开嗓: what the answer says yes to, told in full."""
    yes = bool(last.drafts[-1].about) and len(last.reading.text) <= MAX_YES
    return yes and _is_loose(one) and not any(draft.owner for draft in one.drafts)


MAX_YES = 4  # characters of a clause that only says yes: 有, 是的, 就它
_NOT_TO_THE_OLD = re.compile(r"[^,。]{0,4}(?:别|不要|不用)(?:再)?[往给](?:那儿?|那里|它|旧的)(?:发|寄|送|打)了?")


def _keeps_off_the_old_one(last: Found, one: Found) -> bool:
    """邮箱改成…了，报告别往那儿发."""
    contact = last.drafts[-1].attribute.startswith("contact")
    return contact and _NOT_TO_THE_OLD.fullmatch(one.reading.text) is not None


HOUR_OF_IT = re.compile(
    r"(?:就|都|在|大概|一般|也|定在)*(?:一早|早上?|上午|中午|下午|傍晚|晚上?|夜里|睡觉?前|饭[前后])?(?:[\d一二两三四五六七八九十]{1,3}(?:点半?|:\d\d))?(?:左右|前后|吧|就成|就行|就好|都行|即可|弄|来|做|提醒)*"
)


def _is_when_it_is_due(last: Found, one: Found) -> bool:
    """每月1号提醒我刷饮水机，一早八点左右就成."""
    again = any(time.recurrence for time in last.reading.times)
    planned = last.drafts[-1].attribute.startswith(("schedule:", "grooming", "medication:", "other:"))
    return again and planned and not one.drafts[0].owner and HOUR_OF_IT.fullmatch(one.reading.text) is not None


_OWN_AILMENT = re.compile(r"过敏|哮喘|鼻炎|湿疹|荨麻疹")
_TOUCHES_IT = re.compile(r"(?:但|就|反正|所以|因为)?(?:一|每次|只要|稍微)*(?:吃|喝|闻|碰|沾|吸|摸|靠近|抱|挨)")


def _is_the_owners_reaction(last: Found, one: Found) -> bool:
    """我对海鲜过敏，一吃就起疹子: the owner's rash and not the pet's."""
    own = last.drafts[-1].owner and _OWN_AILMENT.search(last.reading.text) is not None
    signs = all(draft.attribute.startswith(("allergy:", "symptom:")) for draft in one.drafts)
    return own and signs and not one.reading.about.mentions and _TOUCHES_IT.match(one.reading.text) is not None


_WHICH_JAB = re.compile(r"\x00*(?:这|已经)?(?:是)?第?[一二三四五末]针了?")
_WHOSE_NUMBER = re.compile(r"\x00*(?:挂|约|找)的?(?:是)?[^,。]{1,6}的号?")


def _only_says_which(last: Found, one: Found) -> bool:
    """打的三联，第二针; 下周三复查，挂的李医生的号."""
    before, text = last.drafts[-1].attribute, one.reading.text
    if one.reading.times:
        return False
    jab = before.startswith("vaccine:") and _WHICH_JAB.fullmatch(text) is not None
    visits = all(draft.attribute.startswith(("visit:", "schedule:")) for draft in one.drafts)
    return jab or (before.startswith("schedule:") and visits and _WHOSE_NUMBER.fullmatch(text) is not None)


_ON_THE_ROAD = re.compile(r"车|开出|路上|半路|一上")


def _is_car_sick(last: Found, one: Found) -> bool:
    """晕车，一上车就流口水，开出去十分钟准吐."""
    sick = any(draft.attribute.endswith(":car_sick") and not draft.negated for draft in last.drafts)
    signs = all(draft.attribute in ("symptom:mouth_problem", "symptom:vomiting") for draft in one.drafts)
    return sick and signs and not one.reading.times and _ON_THE_ROAD.search(one.reading.text) is not None


_HURT = frozenset({"symptom:wound", "symptom:bleeding", "symptom:pain", "symptom:skin_lesion"})
_OWN_BODY = re.compile(r"[爪嘴牙耳腿尾]|鼻子|自己")


def _is_hurt_by_the_bite(last: Found, one: Found) -> bool:
    """咬了邻居的孩子，破了点皮: not the biter is hurt."""
    bit = last.drafts[-1].attribute.startswith(("behavior:biting", "behavior:aggressive"))
    hurt = all(draft.attribute in _HURT for draft in one.drafts) and not _OWN_BODY.search(one.reading.text)
    return bit and hurt and _BIT.search(last.reading.text) is not None


_BIT = re.compile(
    r"(?:咬|抓|挠|扑)(?:了|伤|破|到)(?:了)?[^,。]{0,4}(?:我|人|孩子|客人|邻居|快递|保安|奶奶|爷爷|大爷|阿姨|手)"
)
_WHEN_IT_SOUNDS = re.compile(
    r"(?:\x00|它)*(?:声音|动静)?一?(?:响|听见|听到|开|打|来|看见|见着|放|吹)(?:起来|了)?[^,。]{0,2}就"
)


def _is_how_it_is_afraid(last: Found, one: Found) -> bool:
    """怕吸尘器，声音一响就炸毛."""
    afraid = last.drafts[-1].attribute.startswith("behavior:fear") and not last.drafts[-1].negated
    shown = all(draft.attribute.startswith("behavior:") and not draft.negated for draft in one.drafts)
    return afraid and shown and _WHEN_IT_SOUNDS.match(one.reading.text) is not None


_DAY_ALONE = re.compile(r"(?:就|也|\x00)*(?:约了?|定了?|排到?了?|挂了?|预约了?)(?:的|到|在|是|好了?)*")


def _take_in_what_is_planned(before: Reading, one: Found) -> None:
    """得冲洗疏通，排到下周二: what is planned stands in the clause before its day."""
    bare = [draft.attribute for draft in one.drafts] == ["schedule:appointment"] and not one.drafts[0].about
    same = before.about.pets == one.reading.about.pets and before.sentence == one.reading.sentence
    if bare and same and before.usable and _ADVISED.match(before.text) and _DAY_ALONE.match(one.reading.text):
        one.drafts = [replace(one.drafts[0], start=before.start)]


_ADVISED = re.compile(r"^(?:医生|大夫|兽医|\x00)*(?:就|也)*(?:让|叫|建议|说(?:要|得|最好|建议)|得|需要)")


def _drop_advice(one: Found, following: list[Found]) -> None:
    """让做耳道冲洗，约了下周日: one plan, told with its day."""
    advised = _ADVISED.match(one.reading.text) is not None and not one.reading.times
    if not advised or not one.drafts or any(not d.attribute.startswith(("visit:", "symptom:")) for d in one.drafts):
        return
    for other in following:
        same = other.reading.about.pets == one.reading.about.pets and not other.reading.about.explicit
        for number, draft in enumerate(other.drafts):
            planned = draft.attribute.startswith("schedule:") and draft.about and draft.about in one.reading.text
            if same and planned and draft.end - one.reading.start <= MAX_LINE:
                other.drafts[number] = replace(draft, start=one.reading.start, about="")
                one.drafts = []
                return


# ---- what says nothing by itself

_LOOK_AGAIN = re.compile(
    r"(?:明[天早晚儿]|后天|改天|回头|晚点|过[几两]天|到时候?|今晚|先|等会儿?|一会儿?|我|就|那|\x00)*再(?:看|观察|瞧|瞅|说|问|等)(?:看|瞧|一?眼|观察|几天|[两一]天|情况|吧|一下)*"
)
_REMIND = re.compile(
    r"\x00*(?:这|到|那)?(?:俩|[两几]个?|个)?(?:日子|天|时候|点儿?|时间)?(?:前一天)?(?:记得|别忘了?|要|你)?(?:提醒|叫|喊|通知)(?:我|一?下|一?声|着|点|啊|哈)+"
)
_FORGOT = re.compile(
    r"\x00*(?:药名|牌子|名字|哪天的?|日子|具体(?:日期|时间|哪天)?|日期|剂量|几号|啥药)[^,。]{0,4}(?:忘|想不起|记不|说不|不记得)[^,。]{0,3}"
)
_LOOKED_OVER = re.compile(
    r"(?:我|\x00|给|帮|把|今天|刚才|刚|扒开毛?|掀开|翻开|拿手电|凑近)*(?:扒|翻|掰|摸|照|看|找|检查|瞅)[^,。]{0,6}(?:半天|一遍|一圈|几遍|到尾|一通|仔细)[^,。]{0,3}"
)


_RETORT = re.compile(
    r"我(?:又|可)不是|我(?:还|也)?没(?:找|去|带)[^,。]{0,4}(?:大夫|医生|医院)[^,。]{0,3}$|(?:你)?(?:别|少|甭)(?:在这儿?)?吓唬?(?:我|人)(?:了|啊|呀|好吗)?$|听着?怪[^,。]{1,4}的?$|(?:快|赶紧)?给我(?:划|挑|标)(?:个|下|一下)?重点$"
)  # 我又不是兽医: nothing of the owner


_IRONIC_PRAISE = re.compile(
    r"(?:你|它|\x00|可|真|太|好|是|会|给我|给妈|给你|有)*(?:长脸|争气|出息|贴心|体贴|懂事|有?本事|能耐|省心|孝顺|厉害|有才)(?:了|啊|呀|呢|哈)*"
)


def _is_hollow(text: str) -> bool:
    return any(pattern.fullmatch(text) for pattern in (_LOOK_AGAIN, _FORGOT, _IRONIC_PRAISE))


def _says_nothing(one: Found, last: Found | None) -> bool:
    text = one.reading.text
    if any(draft.owner for draft in one.drafts):
        return _RETORT.match(text) is not None
    if _is_hollow(text):
        return True
    if last is not None and _REMIND.fullmatch(text):
        repeated = any(time.recurrence for time in last.reading.times)
        return repeated or any(draft.attribute.startswith("schedule:") for draft in last.drafts)
    if last is not None and _WHATEVER_IT_IS.fullmatch(text):
        return True
    own_word = all(draft.attribute.startswith("symptom:") and not draft.attribute.isascii() for draft in one.drafts)
    return (own_word or _is_loose(one)) and _LOOKED_OVER.fullmatch(text) is not None


_PREFACE = re.compile(r"(?:先|我|跟你|再|得)*(?:讲|说|澄|申|挑)(?:清|明)?(?:楚|白|爽|明)?(?:一?点|一下|哈|啊|了)*")


def _drop_preface(one: Found, following: list[Found]) -> None:
    """讲明白点，豆豆对牛奶不过敏: no wish for clear answers."""
    style = [draft for draft in one.drafts if draft.attribute == "preference.reply_style"]
    if style and _PREFACE.fullmatch(one.reading.text) and any(not d.owner for other in following for d in other.drafts):
        one.drafts = [draft for draft in one.drafts if draft not in style]


def _is_loose(one: Found) -> bool:
    return all(draft.attribute.startswith(_LOOSE) and draft.cls is not AttributeClass.SYMPTOM for draft in one.drafts)


_ALL_IS_WELL = re.compile(
    r"[^,。]{0,8}(?:(?:啥|什么|半点|一点)?(?:毛病|问题|事儿?)(?:都|也)?没有?|好好的|好着呢|没事|壮(?:得|实)[^,。]{0,8}|健健?康康?的?|皮实[^,。]{0,3}|能吃能睡|活蹦乱跳的?)"
)


_REFUSED = re.compile(
    r"我?(?:妈|爸|老公|老婆|婆婆|对象|家里)?(?:都|也|坚决)?(?:不让|没答应|不同意|没同意|没要|不肯|拒绝了)(?:养)?"
)


def _drop_mere_contrast(found: list[Found]) -> None:
    """她那只有哮喘，我家这个啥毛病没有: that ours is well is said only beside the other one."""
    strange = False
    for one in found:
        named = any(mention.kind is MentionKind.NAME for mention in one.reading.about.mentions)
        well = all(draft.attribute.startswith(("visit:result", *_LOOSE)) for draft in one.drafts)
        if strange and _REFUSED.fullmatch(one.reading.text):
            one.drafts = []
        if strange and well and not named and _ALL_IS_WELL.fullmatch(one.reading.text):
            one.drafts = []
        strange = strange or one.reading.about.state is State.STRANGER


def _drop_jested(found: list[Found], scene: Scene) -> None:
    """凌晨跑酷第八圈了，明天就挂闲鱼包邮: the habit is part of the jest; an ailment is not."""
    if not any(mark in scene.folded for mark in ("鱼", "包邮", "转转", "盆", "锅", "出家")):
        return
    jested = {one.reading.sentence for one in found if is_threat(one.reading.text)}
    for one in found:
        if one.reading.sentence in jested and _is_loose(one):
            one.drafts = []
