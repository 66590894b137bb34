"""The page's words in Chinese and English. What owners and vets wrote stays as they wrote it."""

from collections.abc import Mapping
from datetime import date
from typing import Literal

from domain.ai_labels import IS, MAY_BE, Certainty
from domain.vet_record import Identity, Row
from domain.vet_row_facts import Fact

Language = Literal["zh", "en"]
MONTHS_A_YEAR = 12

LABELS: Mapping[str, tuple[str, str]] = {
    "title": ("宠物健康档案", "Pet health record"),
    "skip": ("跳到内容", "Skip to content"),
    "other_language": ("English", "中文"),
    "as_of": ("资料截至", "Entries up to"),
    "shown_at": ("打开于", "Opened"),
    "not_this": (
        "本页由主人的记录自动汇总，不是病历，也不是诊断；没有记录不等于没有。请以您的问诊和检查为准。",
        "Compiled from the owner's records. Not a medical chart or a diagnosis; what is not on record may still be so.",
    ),
    "for_people": ("请用浏览器打开这个链接查看。", "Open this link in a browser."),
    "ai_notice": (
        "标有「AI 生成」的文字由人工智能整理。",
        "Text marked “AI generated” was worded by artificial intelligence.",
    ),
    "ai_maybe": (
        "来自聊天的条目由程序整理，可能含人工智能生成（AI 生成）的文字。",
        "Entries taken from chat were sorted by a program and may hold AI generated words.",
    ),
    "ai_mark": ("AI 生成", "AI generated"),
    "identity": ("基本信息", "Identity"),
    "species": ("物种", "Species"),
    "breed": ("品种", "Breed"),
    "sex": ("性别", "Sex"),
    "neutered": ("绝育", "Neutered"),
    "age": ("年龄", "Age"),
    "weight": ("体重", "Weight"),
    "microchip": ("芯片号", "Microchip"),
    "allergies": ("过敏与警示", "Allergies and alerts"),
    "medications": ("当前用药", "Current medications"),
    "conditions": ("慢性病与诊断", "Conditions"),
    "red_flags": ("近 14 天危险信号", "Red flags, last 14 days"),
    "questions": ("待主人确认", "Waiting for the owner"),
    "due": ("接下来到期", "Due next"),
    "vaccinations": ("疫苗", "Vaccinations"),
    "dewormings": ("驱虫", "Dewormings"),
    "weights": ("体重", "Weights"),
    "visits": ("就诊", "Visits"),
    "timeline": ("症状与用药时间线", "Symptoms and medications"),
    "observations": ("症状与观察", "Symptoms and observations"),
    "diets": ("饮食", "Diet"),
    "all_medications": ("用药", "Medications"),
    "all_allergies": ("过敏", "Allergies"),
    "filter": ("只看", "Show"),
    "everything": ("全部", "All"),
    "last_year": ("近 12 个月", "last 12 months"),
    "no_known_allergies": ("主人确认：没有已知过敏", "No known allergies, according to the owner"),
    "none_recorded": ("没有记录", "Nothing on record"),
    "not_asked": ("没有记录（不等于没有过敏）", "Nothing on record (not the same as no allergies)"),
    "not_shared": ("主人没有分享这一部分", "The owner did not share this part"),
    "evidence": ("依据", "Evidence"),
    "quote_withheld": ("原话提到其他宠物，未分享", "The words mention another pet and are not shared"),
    "quotes_not_shared": ("主人没有分享原话", "The owner did not share their words"),
    "recorded_on": ("记录于", "Entered"),
    "rest": ("另有", "more:"),
    "older": ("更早", "Older"),
    "newer": ("更近", "Newer"),
    "back": ("返回摘要", "Back to the summary"),
    "doubtful": ("待主人确认", "waiting for the owner"),
    "verified": ("已核实", "verified"),
    "unverified": ("身份未核实", "author not verified"),
    "stated": ("未经核实", "as stated"),
    "flag_emergency": ("急症", "Emergency"),
    "flag_urgent": ("24 小时内就医", "Within 24 hours"),
    "flag_note": ("按规则标出，不是诊断", "Marked by rules, no diagnosis"),
    "denies_on_record": ("新说法：没有或已停", "New statement: not so, or stopped"),
    "denies": ("新说法：没有", "New statement: not so"),
    "change": ("有不同的新说法，档案未改", "A different statement; the record is unchanged"),
    "new_danger": ("可能有，先按有处理", "Possible; treated as real meanwhile"),
    "merge": ("可能与已有记录是同一件事", "May be the same as an entry on record"),
    "import": ("导入的内容，待确认", "Imported, to be confirmed"),
    "about_unknown": ("一条记录", "An entry"),
    "ended": ("已结束", "ended"),
    "refuted": ("已排除", "ruled out"),
    "overdue": ("已过期", "overdue"),
    "due_soon": ("快到期", "due soon"),
    "upcoming": ("未到期", "upcoming"),
    "ask_vet": ("间隔太久或缺记录，请兽医判断", "Lapsed or not on record: a vet decides"),
    "rule": ("依据规则", "By rule"),
    "note_title": ("给这只宠物留一条就诊记录", "Leave a visit note"),
    "note_hint": (
        "留言会标为「身份未核实」，直到主人确认是您写的。可以新增过敏、疾病和用药；停药或排除过敏要由主人确认。",
        "The note is marked “author not verified” until the owner confirms it. It may add dangers at once; "
        "whatever lowers one is put to the owner.",
    ),
    "note_sent": ("留言已送达主人。", "Your note has reached the owner."),
    "author": ("您的姓名", "Your name"),
    "clinic": ("医院", "Clinic"),
    "visited_on": ("就诊日期", "Date of visit"),
    "reason": ("主诉", "Reason"),
    "diagnosis": ("诊断", "Diagnosis"),
    "treatment": ("处理", "Treatment"),
    "next_on": ("复诊日期", "Next visit"),
    "note": ("备注", "Note"),
    "new_allergies": ("新发现的过敏（用顿号分开）", "New allergies (separate with commas)"),
    "new_conditions": ("新确诊的慢性病", "New chronic conditions"),
    "started": ("新开始的用药", "Medications started"),
    "stopped": ("停用的药", "Medications stopped"),
    "code": ("口令，或主人手机上的 6 位留言码", "Passcode, or the 6-digit code on the owner's phone"),
    "send": ("发送给主人", "Send to the owner"),
    "passcode_title": ("这份档案需要口令", "This record needs a passcode"),
    "passcode_hint": ("请输入主人告诉您的口令。", "Enter the passcode that the owner gave you."),
    "passcode": ("口令", "Passcode"),
    "open": ("打开", "Open"),
    "missing_title": ("链接打不开", "This link does not open"),
    "missing": (
        "链接不对、已过期或已被主人撤销。请主人重新分享。",
        "It is wrong, expired or revoked. Please ask the owner to share again.",
    ),
    "too_many_title": ("请稍后再试", "Please try again later"),
    "data_for_programs": ("供程序读取", "For programs"),
    "print_hint": ("可直接打印（A4）", "Prints on A4"),
    "memorial": ("已离世", "Deceased"),
    "lost": ("走失", "Lost"),
    "rehomed": ("已送养", "Rehomed"),
    "unknown": ("不详", "unknown"),
    "yes": ("已绝育", "yes"),
    "no": ("未绝育", "no"),
    "dog": ("犬", "Dog"),
    "cat": ("猫", "Cat"),
    "other": ("其他", "Other"),
    "male": ("公", "Male"),
    "female": ("母", "Female"),
    "about": ("约", "about "),
    "page": ("第", "Page "),
}
_SOURCES: Mapping[str, tuple[str, str]] = {
    "chat": ("主人口述", "told by the owner"),
    "owner": ("主人填写", "entered by the owner"),
    "vet": ("医院", "clinic"),
    "import": ("导入", "imported"),
    "system": ("系统整理", "compiled by the system"),
}
_FACTS: Mapping[str, tuple[str, str]] = {
    "reaction": ("反应", "Reaction"),
    "criticality": ("风险", "Risk"),
    "category": ("类别", "Category"),
    "verification_status": ("确认程度", "Verification"),
    "clinical_status": ("状态", "Status"),
    "ended_on": ("结束", "Ended"),
    "dose_text": ("用量", "Dose"),
    "frequency_text": ("频次", "Frequency"),
    "ingredient": ("成分", "Ingredient"),
    "dose_number": ("第几针", "Dose no."),
    "antigens": ("抗原", "Antigens"),
    "lot_number": ("批号", "Lot"),
    "target": ("范围", "Against"),
    "code": ("类型", "Kind"),
    "measured": ("数值", "Value"),
    "result": ("结果", "Result"),
    "severity": ("程度", "Severity"),
    "negated": ("未出现", "Not present"),
    "prescription": ("处方粮", "Prescription diet"),
    "amount": ("用量", "Amount"),
    "frequency": ("频次", "Frequency"),
}
_CODES: Mapping[tuple[str, str], tuple[str, str]] = {
    ("criticality", "high"): ("高风险", "high risk"),
    ("criticality", "low"): ("低风险", "low risk"),
    ("category", "food"): ("食物", "food"),
    ("category", "drug"): ("药物", "drug"),
    ("category", "environment"): ("环境", "environment"),
    ("category", "other"): ("其他", "other"),
    ("verification_status", "confirmed"): ("主人称已确诊", "confirmed, says the owner"),
    ("verification_status", "unconfirmed"): ("未确诊", "unconfirmed"),
    ("verification_status", "refuted"): ("已排除", "ruled out"),
    ("clinical_status", "active"): ("进行中", "active"),
    ("clinical_status", "remission"): ("缓解期", "in remission"),
    ("clinical_status", "resolved"): ("已痊愈", "resolved"),
    ("target", "internal"): ("体内", "internal"),
    ("target", "external"): ("体外", "external"),
    ("target", "both"): ("体内外", "internal and external"),
    ("code", "symptom"): ("症状", "symptom"),
    ("code", "appetite"): ("食欲", "appetite"),
    ("code", "elimination"): ("排泄", "elimination"),
    ("code", "activity"): ("活动", "activity"),
    ("code", "temperature"): ("体温", "temperature"),
    ("code", "lab"): ("化验", "lab"),
}


_NOT_BRIEF = ("verification_status", "category", "code", "ingredient")
"""Facts that the first screen leaves to the opened row."""


class Words:
    """One language of the page."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.html_language = "zh-CN" if language == "zh" else "en"
        self._place = 0 if language == "zh" else 1

    def __call__(self, name: str) -> str:
        """A label. Raises KeyError for one that does not exist."""
        return LABELS[name][self._place]

    @property
    def ai_lines(self) -> Mapping[Certainty, str]:
        """What is said of generated words, by how sure it is that there are any."""
        return {IS: self("ai_notice"), MAY_BE: self("ai_maybe")}

    def day(self, on: date | None, precision: str = "day") -> str:
        """2026-03-01, 2026-03, 2026 or "date unknown", as exact as it is known."""
        if on is None or precision == "unknown":
            return ("日期不详", "date unknown")[self._place]
        return {"year": f"{on:%Y}", "month": f"{on:%Y-%m}"}.get(precision, on.isoformat())

    def has_marks(self, row: Row) -> bool:
        """Whether anything about the row must catch the eye."""
        marked = row.flag or row.ai_generated or row.confidence in ("doubtful", "unverified")
        return bool(marked) or row.status in ("ended", "refuted")

    def source(self, row: Row) -> str:
        """主人口述, 主人填写, 医院 …, with the name a vet gave."""
        word = _SOURCES[row.source][self._place]
        return f"{word}（{row.by}）" if row.by else word

    def said_by(self, source: str) -> str:
        """The same for a quote."""
        return _SOURCES[source][self._place]

    def fact(self, fact: Fact) -> str:
        """One fact with its label: 反应 抓耳朵."""
        if isinstance(fact.value, bool):
            return self.fact_name(fact)
        return f"{self.fact_name(fact)} {self.value(fact)}"

    def fact_name(self, fact: Fact) -> str:
        """The label of a fact."""
        if fact.name in _FACTS:
            return _FACTS[fact.name][self._place]
        return self(fact.name)

    def value(self, fact: Fact) -> str:
        """The value alone; words of closed lists in this language, everything else as written."""
        coded = _CODES.get((fact.name, str(fact.value)))
        return coded[self._place] if coded else str(fact.value)

    def brief(self, row: Row) -> str:
        """A row's facts in one line, without labels: 抓耳朵 · 高风险."""
        shown = [fact for fact in row.facts if fact.name not in _NOT_BRIEF and fact.value != "active"]
        parts = [self.fact_name(fact) if isinstance(fact.value, bool) else self.value(fact) for fact in shown]
        return " · ".join(parts)

    def age(self, who: Identity, today: date) -> str:
        """3岁2个月; 约3岁 where only the year is known; unknown without a birth date."""
        if who.born_on is None:
            return self("unknown")
        months = (today.year - who.born_on.year) * MONTHS_A_YEAR + today.month - who.born_on.month
        months -= today.day < who.born_on.day and who.born_on_precision not in ("month", "year")
        years, rest = divmod(max(0, months), MONTHS_A_YEAR)
        exact = who.born_on_precision != "year"
        if self.language == "en":
            told = f"{years} y" + (f" {rest} m" if rest and exact else "")
        else:
            told = f"{years}岁" if years or not exact else ""
            told += f"{rest}个月" if rest and exact else ("" if told else "不到1个月")
        return (self("about") if not exact else "") + told
