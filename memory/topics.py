"""The eight archives of a pet and the owner's own: their ids and Chinese labels.

Which words belong to which topic is veterinary knowledge and lives in `domain.knowledge`.
"""

from enum import StrEnum


class Topic(StrEnum):
    DIET = "diet"
    HEALTH = "health"
    MEDICAL = "medical"
    PREVENTION = "prevention"
    GROWTH = "growth"
    ELIMINATION = "elimination"
    BEHAVIOR = "behavior"
    LIFESTYLE = "lifestyle"
    OWNER = "owner"


LABELS: dict[Topic, str] = {
    Topic.DIET: "饮食",
    Topic.HEALTH: "健康症状",
    Topic.MEDICAL: "用药就医",
    Topic.PREVENTION: "疫苗驱虫",
    Topic.GROWTH: "体重生长",
    Topic.ELIMINATION: "排泄",
    Topic.BEHAVIOR: "行为性格",
    Topic.LIFESTYLE: "日常护理",
    Topic.OWNER: "主人",
}

PET_TOPICS: tuple[Topic, ...] = tuple(topic for topic in Topic if topic is not Topic.OWNER)
