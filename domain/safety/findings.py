"""What a review finds, and how a reply is made safe to show."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from domain.safety.stance import split_spans
from memory.text_folding import fold_text

Verdict = Literal["allowed", "warn", "block"]
Rule = Literal[
    "allergen",
    "toxin",
    "drug_species",
    "drug_breed",
    "drug_condition",
    "drug_interaction",
    "drug_duplicate",
    "drug_unprescribed",
    "dosing",
    "stopping",
    "diet_condition",
    "prescription_diet",
    "other_pet",
    "food_size",
    "emergency",
    "first_aid",
    "invented_fact",
    "unknown_citation",
]


@dataclass(frozen=True, slots=True)
class Finding:
    """risk_zh names the risk for the owner; start, end: the span of the reply that carries it."""

    rule: Rule
    risk_zh: str
    start: int
    end: int
    level: Literal["warn", "block"] = "block"


@dataclass(frozen=True, slots=True)
class Review:
    """verdict: allowed, warn (said with a caution) or block (must not be said). safe_text may be shown as it is."""

    verdict: Verdict
    findings: tuple[Finding, ...]
    safe_text: str


def make_review(reply: str, findings: Sequence[Finding]) -> Review:
    """The review with its safe text: failing sentences are replaced by plain warnings, doubtful ones get one added."""
    if not findings:
        return Review("allowed", (), reply)
    verdict: Verdict = "block" if any(finding.level == "block" for finding in findings) else "warn"
    return Review(verdict, tuple(findings), _repair(reply, findings))


def _repair(reply: str, findings: Sequence[Finding]) -> str:
    """Emergencies come first and alone; otherwise sentence by sentence, each risk named once."""
    urgent = next((finding for finding in findings if finding.rule in {"emergency", "first_aid"}), None)
    if urgent:
        return warning_of([urgent])
    pieces: list[str] = []
    told: set[str] = set()
    place = 0
    for start, end in split_spans(fold_text(reply)):
        ours = [finding for finding in findings if start <= finding.start < end]
        fresh = [finding for finding in ours if finding.risk_zh not in told]
        told.update(finding.risk_zh for finding in fresh)
        pieces += [reply[place:start], _shown(reply[start:end], ours, fresh)]
        place = end
    return "".join([*pieces, reply[place:]]).strip()


def _shown(sentence: str, ours: Sequence[Finding], fresh: Sequence[Finding]) -> str:
    """A sentence as it may be shown, without its full stop: itself, itself and a caution, or a warning instead."""
    warning = warning_of(fresh).rstrip("。") if fresh else ""
    if any(finding.level == "block" for finding in ours):
        return warning
    return f"{sentence}。{warning}" if warning else sentence


def warning_of(findings: Sequence[Finding]) -> str:
    """One plain sentence for the owner that names the risks."""
    risks = "；".join(_in_chinese_punctuation(finding.risk_zh) for finding in findings)
    if any(finding.rule == "emergency" for finding in findings):
        return f"{risks}，不能在家等：请现在就去最近的24小时动物医院，路上先打电话说明情况。"
    if all(finding.level == "warn" for finding in findings):
        return f"要注意：{risks}，先看清配料或问过医生再决定。"
    return f"这一点不能照做：{risks}。请先问医生。"


def exposure_of(risks: Sequence[str]) -> str:
    """What an owner is told when a pet was given what it reacts to. risks: 奶茶对甲壳类过敏，虾仁含甲壳类."""
    told = "；".join(_in_chinese_punctuation(risk) for risk in risks)
    return f"要当心：{told}。接下来一天留意呕吐、拉稀、抓挠、脸肿，有就联系医生；喘、站不稳马上去急诊。"


def _in_chinese_punctuation(text: str) -> str:
    """The sheets write half-width punctuation."""
    for half, full in ((", ", "，"), ("; ", "；"), (": ", "："), ("(", "（"), (")", "）")):
        text = text.replace(half, full)
    return text
