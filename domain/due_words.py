"""How a due vaccination or deworming and the rule behind its day are said in Chinese. Pure."""

from domain.due_rules import Due, Stage
from domain.knowledge.medications import load_medications
from domain.knowledge.vaccines import Plan, load_vaccines

_FULL_WIDTH = str.maketrans(",;()", "，；（）")
_PRODUCT = "product:"  # how a rule that is a product's own interval is named
_VACCINE_AT: dict[Stage, str] = {
    "start": "首针",
    "primary_next": "下一针",
    "older_second": "第二针",
    "first_booster": "加强针",
    "repeat": "",
    "restart_ask_vet": "",
}


def is_deworming(due: Due) -> bool:
    """Whether it is deworming; everything else is a vaccine."""
    return due.group in ("internal", "external")


def what_is_due(due: Due) -> str:
    """狂犬疫苗, 狂犬疫苗首针, 首次体内驱虫"""
    if is_deworming(due):
        return f"首次{due.name_zh}" if due.stage == "start" else due.name_zh
    return due.name_zh + _VACCINE_AT[due.stage]


def rule_in_words(due: Due) -> str:
    """每年一次; 上一针后2至4周; 大宠爱每月一次"""
    if due.rule.startswith(_PRODUCT):
        product = load_medications().products[due.rule.removeprefix(_PRODUCT)]
        count, unit, _ = product.interval
        return product.name + (_every_months(count) if unit == "month" else f"每{count}周一次")
    if is_deworming(due):
        schedule = next(rule.schedule for rule in load_vaccines().deworming if rule.id == due.rule)
        return schedule.removeprefix("按").translate(_FULL_WIDTH).replace(" ", "")
    return _of_plan(load_vaccines().plans[due.rule], due.stage)


def _of_plan(plan: Plan, stage: Stage) -> str:
    match stage:
        case "start":
            return f"满{plan.target_months}月龄打首针" if plan.target_months else f"{_span(plan.start_weeks)}周龄开始"
        case "primary_next":
            last = f"，末针不早于{plan.finish_weeks}周龄" if plan.finish_weeks else ""
            return f"上一针后{_span(plan.interval_weeks)}周{last}"
        case "older_second":
            return f"上一针后{_span(plan.older_interval_weeks)}周"
        case "first_booster":
            return f"{plan.first_booster_weeks}周龄加强一针"
        case "repeat":
            return _every_months(plan.repeat_months)
        case "restart_ask_vet":
            return "间隔太久，怎么补由兽医决定"


def _span(weeks: tuple[int, int] | None) -> str:
    low, high = weeks or (0, 0)
    return f"{low}至{high}" if low != high else f"{low}"


def _every_months(months: int) -> str:
    years, rest = divmod(months, 12)
    if rest:
        return "每月一次" if months == 1 else f"每{months}个月一次"
    return "每年一次" if years == 1 else f"每{years}年一次"
