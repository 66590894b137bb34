"""Read the sourced YAML files: typed access to their rows, and the line to blame when a row is wrong.

Rows are plain mappings while all is well. Lines are only looked up for an error, by parsing the file again with its
marks: the start of the service pays for one fast parse and nothing else.
"""

from collections.abc import Callable, Iterator, Mapping
from importlib import resources
from typing import Any, TypeVar

import yaml

from domain.knowledge.errors import KnowledgeError
from domain.knowledge.strict_yaml import FastLoader, load_yaml

T = TypeVar("T")
Path = tuple[str | int, ...]


class Row:
    """One mapping of a knowledge file. Every reader names the key, and raises `KnowledgeError` with its line."""

    __slots__ = ("_path", "_sheet", "_values")

    def __init__(self, sheet: "Sheet", path: Path, values: Any) -> None:
        self._sheet = sheet
        self._path = path
        if not isinstance(values, dict):
            raise self.error("expected a mapping")
        self._values: dict[str, Any] = values

    def error(self, problem: str, *keys: str | int) -> KnowledgeError:
        """The error to raise about this row, or about the value under `keys`."""
        where = (*self._path, *keys)
        name = ".".join(str(step) for step in where) or "(top)"
        return KnowledgeError(self._sheet.name, self._sheet.line_of(where), f"{name}: {problem}")

    def only(self, *allowed: str) -> None:
        """Refuse keys that nobody reads: a misspelt key would silently drop a rule."""
        for key in self._values.keys() - set(allowed):
            raise self.error(f"unknown key (known: {', '.join(sorted(allowed))})", key)

    def has(self, key: str) -> bool:
        return key in self._values

    def text(self, key: str, default: str | None = None) -> str:
        value = self._values.get(key, default)
        if not isinstance(value, str) or not (value or default == ""):
            raise self.error("expected a text", key)
        return value

    def choice(self, key: str, allowed: Mapping[str, T]) -> T:
        value = self._values.get(key)
        if not isinstance(value, str) or value not in allowed:
            raise self.error(f"expected one of {', '.join(allowed)}", key)
        return allowed[value]

    def number(self, key: str, default: float | None = None) -> float:
        value = self._values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error("expected a number", key)
        return value

    def whole(self, key: str, default: int | None = None) -> int:
        value = self._values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.error("expected a whole number", key)
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; absent = none."""
        values = self._values.get(key, ())
        if not isinstance(values, list | tuple) or not all(isinstance(value, str) and value for value in values):
            raise self.error("expected a list of texts", key)
        return tuple(values)

    def rows(self, key: str) -> Iterator["Row"]:
        """A list of mappings; absent = none."""
        values = self._values.get(key, ())
        if not isinstance(values, list | tuple):
            raise self.error("expected a list of mappings", key)
        for position, value in enumerate(values):
            yield Row(self._sheet, (*self._path, key, position), value)

    def row(self, key: str) -> "Row":
        return Row(self._sheet, (*self._path, key), self._values.get(key))

    def keys(self) -> tuple[str, ...]:
        return tuple(self._values)

    def raw(self, key: str) -> Any:
        """The value as YAML gave it, for the few shapes that only their reader understands."""
        return self._values.get(key)


class Sheet:
    """One knowledge file: its name, its text, and its top mapping."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self._text = text

    def read(self, build: Callable[[Row], T]) -> T:
        """Parse the file and build from its top row. Raises KnowledgeError with file and line."""
        return build(Row(self, (), load_yaml(self.name, self._text)))

    def line_of(self, path: Path) -> int:
        """The 1-based line where the value at `path` stands, or that of the closest thing above it."""
        node: Any = yaml.compose(self._text, Loader=FastLoader)
        for step in path:
            below = _child(node, step)
            if below is None:
                break
            node = below
        return int(node.start_mark.line) + 1


def _child(node: Any, step: str | int) -> Any | None:
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step]
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == str(step)), None)
    return None


def open_sheet(name: str) -> Sheet:
    """The knowledge file `name` ("toxins.yaml") as it is packaged."""
    return Sheet(name, resources.files("domain.knowledge").joinpath("data", name).read_text(encoding="utf-8"))


CONFIDENCES: dict[str, str] = {level: level for level in ("high", "medium", "low")}


def read_origin(row: Row) -> tuple[str, str]:
    """(source, confidence), which every row of knowledge has to carry."""
    return row.text("source"), row.choice("confidence", CONFIDENCES)
