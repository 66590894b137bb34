"""No YAML file of ours may say a key twice, and every one of them is read by the loader that sees it."""

import re
from pathlib import Path

import pytest

from domain.knowledge.errors import KnowledgeError
from domain.knowledge.sheets import Sheet
from domain.knowledge.strict_yaml import load_yaml
from domain.knowledge.symptoms import read_symptom_sheet
from memory.text_folding import fold_text

ROOT = Path(__file__).parents[2]
PACKAGES = ("app", "miniprogram_api", "jobs", "domain", "memory", "tests", "bench")
FILES = sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.y*ml"))


@pytest.mark.parametrize(
    ("text", "line", "key", "first"),
    [
        ("signs: [咳]\nfoods: [粮]\nsigns: [喘]\n", 3, "signs", 1),
        ("a:\n  b: 1\n  c: 2\n  b: 3\n", 4, "b", 2),
        ("- {name: 甲, name: 乙}\n", 1, "name", 1),
        ("a: {}\n'a': {}\n", 2, "a", 1),
    ],
)
def test_a_key_that_stands_twice_is_refused_with_its_file_and_line(text: str, line: int, key: str, first: int) -> None:
    with pytest.raises(KnowledgeError) as caught:
        load_yaml("words.yaml", text)
    assert str(caught.value) == f"words.yaml:{line}: the key '{key}' stands twice, first in line {first}"


def test_keys_that_are_one_after_folding_are_one() -> None:
    with pytest.raises(KnowledgeError, match=r"words\.yaml:2"):
        load_yaml("words.yaml", fold_text("ＡＢ: 1\nab: 2\n"))


def test_a_sheet_refuses_it_as_well() -> None:
    with pytest.raises(KnowledgeError, match=r"broken\.yaml:3: the key 'meta' stands twice"):
        Sheet("broken.yaml", "meta: {}\nsymptoms: []\nmeta: {}\n").read(read_symptom_sheet)


def test_the_same_key_of_two_things_and_a_merge_that_is_replaced_are_fine() -> None:
    assert load_yaml("a.yaml", "- {a: 1}\n- {a: 2}\n") == [{"a": 1}, {"a": 2}]
    assert load_yaml("a.yaml", "x: &x {a: 1}\ny:\n  <<: *x\n  a: 2\n")["y"] == {"a": 2}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_file_is_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for read in {text, fold_text(text)}:  # the word tables are folded before they are read
        assert load_yaml(path.name, read)


def test_nothing_else_reads_yaml() -> None:
    reads = re.compile(r"yaml\.(?:load|safe_load|full_load|unsafe_load)\w*\(")
    sources = [path for name in PACKAGES for path in (ROOT / name).rglob("*.py")]
    found = {str(path.relative_to(ROOT)) for path in sources if reads.search(path.read_text(encoding="utf-8"))}
    assert found == {"domain/knowledge/strict_yaml.py"}
