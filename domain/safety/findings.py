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
    urgent = [finding for finding in findings if finding.rule in {"emergency", "first_aid"}]
    if urgent:
        return warning_of(urgent[0])
    pieces, told, place = [], set[str](), 0
    for start, end in split_spans(fold_text(reply)):
        ours = [finding for finding in findings if start <= finding.start < end]
        punctuation = reply[place:start]
        pieces.append(punctuation)
        place = end
        if not ours:
            pieces.append(reply[start:end])
            continue
        if all(finding.level == "warn" for finding in ours):
            pieces.append(reply[start:end] + "。")
        for finding in ours:
            if finding.risk_zh not in told:
                told.add(finding.risk_zh)
                pieces.append(warning_of(finding).rstrip("。"))
                pieces.append("。" if finding is not ours[-1] else "")
    pieces.append(reply[place:])
    return "".join(pieces).strip()


def warning_of(finding: Finding) -> str:
    """One plain sentence for the owner."""
    if finding.rule == "emergency":
        return f"{finding.risk_zh}，不能在家等：请现在就去最近的24小时动物医院，路上先打电话说明情况。"
    if finding.level == "warn":
        return f"要注意：{finding.risk_zh}，先看清配料或问过医生再决定。"
    return f"这一点不能照做：{finding.risk_zh}，请先问医生。"
