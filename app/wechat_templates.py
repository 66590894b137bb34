"""Which subscribe templates there are: those of the settings, or, outside production, ones that need no WeChat."""

from collections.abc import Mapping, Sequence

from app.settings import UnsafeSettings
from domain.push_fields import TEXT_FIELDS, TIME_FIELDS, type_of
from domain.push_messages import Template

TITLES = {
    "confirmation": "档案变更待确认",
    "reminder": "疫苗驱虫与日程提醒",
    "follow_up": "健康回访",
}
FIELDS = ("id", "subject", "about", "at", "page")


def templates_of(given: Mapping[str, Mapping[str, str]], *, production: bool) -> tuple[Template, ...]:
    """The templates in the order owners are asked for them. Raises UnsafeSettings for a name nobody knows."""
    for key, fields in given.items():
        if key not in TITLES or not fields.get("id") or not set(fields) <= set(FIELDS):
            raise UnsafeSettings(
                f"WECHAT_TEMPLATES: {key} must be one of {', '.join(TITLES)} "
                f"and hold an id, with {', '.join(FIELDS[1:])} where they differ"
            )
    if not given and not production:
        return tuple(Template(key, f"dev-{key}", title) for key, title in TITLES.items())
    return tuple(_template(key, title, given[key]) for key, title in TITLES.items() if key in given)


def _template(key: str, title: str, fields: Mapping[str, str]) -> Template:
    named = {name: value for name, value in fields.items() if name != "id"}
    made = Template(key, fields["id"], title, **named)
    taken = ((made.subject, TEXT_FIELDS), (made.about, TEXT_FIELDS), (made.at, TIME_FIELDS))
    for field, types in taken:
        if type_of(field) not in types:
            raise UnsafeSettings(f"WECHAT_TEMPLATES: {key} puts a word or a time into {field}, which takes none")
    return made


def mismatches(templates: Sequence[Template], listed: Mapping[str, Sequence[str]]) -> list[str]:
    """What WeChat's console says otherwise than the settings, a sentence each. `listed`: keys by template id."""
    told = []
    for template in templates:
        wanted = {template.subject, template.about, template.at}
        there = set(listed.get(template.template_id, ()))
        if template.template_id not in listed:
            told.append(f"template {template.key}: no template with this id is in the console")
        elif there != wanted:
            told.append(
                f"template {template.key}: the console has the fields {', '.join(sorted(there))}, "
                f"the settings {', '.join(sorted(wanted))}"
            )
    return told
