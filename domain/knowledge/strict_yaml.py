"""The one way YAML is read here: safely, and without a key that stands twice.

YAML's own loaders let the later of two equal keys win in silence, so a whole list of words could be lost by a slip.
"""

from typing import Any

import yaml

from domain.knowledge.errors import KnowledgeError

FastLoader: Any = getattr(
    yaml, "CSafeLoader", yaml.SafeLoader
)  # libyaml parses eight times faster, where it is built in


class _StrictLoader(FastLoader):  # type: ignore[misc]  # which of the two it is depends on how PyYAML was built
    """Refuses a mapping with the same key twice; what a merge (`<<`) brings in may be replaced, as YAML has it."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        first: dict[tuple[str, str], int] = {}
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            if not isinstance(key, yaml.ScalarNode):
                continue
            name = key.tag, key.value
            if name in first:
                problem = f"the key {key.value!r} stands twice, first in line {first[name]}"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            first[name] = int(key.start_mark.line) + 1
        return super().construct_mapping(node, deep=deep)


def load_yaml(name: str, text: str) -> Any:
    """The plain data of a file. name: for the message. Raises KnowledgeError with file and line."""
    try:
        return yaml.load(text, Loader=_StrictLoader)  # noqa: S506  (it is a safe loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise KnowledgeError(name, mark.line + 1 if mark else 1, str(error.problem)) from error
