"""`docs/settings.md` names every setting, with its default, and no other."""

import re
from pathlib import Path

from pydantic import SecretStr

from app.settings import Settings

PAGE = Path(__file__).resolve().parents[2] / "docs" / "settings.md"


def environment_names() -> dict[str, object]:
    """Every setting by its name in the environment, with its default."""
    names: dict[str, object] = {}
    for field_name, field in Settings.model_fields.items():
        choices = getattr(field.validation_alias, "choices", None)
        names[str(choices[0]) if choices else f"PAWSIGNAL_{field_name.upper()}"] = field.default
    return names


def documented() -> dict[str, str]:
    """The rows of the page's tables: name → default as written."""
    rows = re.findall(r"^\| `([A-Z_]+)` \| ([^|]*) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: default.strip() for name, default in rows}


def test_every_setting_is_documented_and_nothing_else() -> None:
    assert set(documented()) == set(environment_names())


def test_the_defaults_on_the_page_are_the_real_ones() -> None:
    written = documented()
    for name, default in environment_names().items():
        shown = str(default.get_secret_value() if isinstance(default, SecretStr) else default)
        assert written[name] == (f"`{shown}`" if shown else "—"), name
