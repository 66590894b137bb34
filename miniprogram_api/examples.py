"""What the OpenAPI document shows: one household with 豆豆 the dog, used in the examples of every call."""

from typing import Any

PET_ID = "0197f0a2-6c1e-7b44-9c55-2f1d8a4e7b10"
RECORD_ID = "0197f0a3-11d0-7a02-8f3a-6b0c5d2e9f41"
MEMORY_ID = "0197f0a3-11d1-7d90-a1c4-0e7f3b6a5c22"
MESSAGE_ID = "0197f0a2-fe00-7c31-8b1e-94d2a7c60e53"
OWNER_ID = "0197f0a1-0b6f-7e12-9d3c-7a5b4c3d2e64"
SCHEDULE_ID = "0197f0a4-5c2b-7f83-b0e6-1d9a8c7b6e75"
CONFIRMATION_ID = "0197f0a5-9e3d-7164-8a2b-3c4d5e6f7a86"
PHOTO_ID = "0197f0a8-5b71-7a27-9e5f-708192a3b4c5"
CALENDAR_ID = "0197f0a7-3a5f-7416-8d4e-6f708192a3b4"
INBOX_ID = "0197f0a6-2f4e-7295-9b3c-4d5e6f7a8b97"
DREAM_ID = "0197f0a7-4b60-7386-8c4d-5e6f7a8b9ca8"
FOLLOW_UP_ID = "0197f0a8-5c71-7497-9d5e-6f7a8b9cadb9"
HUNCH_ID = "0197f0a9-6d82-75a8-8e6f-7a8b9cadbeca"
AT = "2026-03-01T07:30:00Z"

EVIDENCE: dict[str, Any] = {
    "message_id": MESSAGE_ID,
    "quote": "豆豆一吃鸡肉就抓耳朵",
    "said_at": AT,
    "source": "chat",
    "verified": False,
    "by": OWNER_ID,
}

RECORD_INPUTS: dict[str, dict[str, Any]] = {
    "allergies": {
        "substance": "鸡肉",
        "category": "food",
        "reaction": "抓耳朵、起红疹",
        "criticality": "high",
        "verification_status": "confirmed",
        "onset_on": "2025-11-02",
        "onset_on_precision": "day",
    },
    "conditions": {
        "name": "慢性肾病",
        "stage": "IRIS 2期",
        "clinical_status": "active",
        "onset_on": "2026-01-15",
        "onset_on_precision": "day",
    },
    "medications": {
        "product": "速诺",
        "ingredient": "阿莫西林克拉维酸钾",
        "dose_text": "一次半片",
        "frequency_text": "一天两次",
        "started_on": "2026-02-20",
        "started_on_precision": "day",
        "reason": "皮肤感染",
    },
    "vaccinations": {
        "product": "狂犬疫苗",
        "antigens": ["rabies"],
        "given_on": "2026-03-01",
        "given_on_precision": "day",
        "lot_number": "20251103",
        "clinic": "阳光动物医院",
    },
    "dewormings": {
        "product": "大宠爱",
        "target": "external",
        "given_on": "2026-02-10",
        "given_on_precision": "day",
    },
    "weights": {"value": 12.3, "unit": "kg", "measured_at": "2026-03-01T15:00:00+08:00"},
    "visits": {
        "clinic": "阳光动物医院",
        "reason": "呕吐",
        "diagnosis": "肠胃炎",
        "treatment": "输液两天",
        "visited_on": "2025-12-01",
        "visited_on_precision": "day",
        "next_on": "2025-12-08",
        "next_on_precision": "day",
    },
    "observations": {
        "code": "symptom",
        "name": "吐黄水",
        "value": 2,
        "unit": "次",
        "occurred_at": "2026-03-01T08:00:00+08:00",
    },
    "diets": {
        "food": "低敏粮",
        "brand": "皇家",
        "amount": "60克",
        "frequency": "一天两顿",
        "started_on": "2026-01-01",
        "started_on_precision": "month",
    },
}
"""A form for each kind of record."""
