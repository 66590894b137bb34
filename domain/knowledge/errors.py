"""What can be wrong with the knowledge files.

KnowledgeError   a file does not say what it should; names file and line
"""


class KnowledgeError(ValueError):
    """A knowledge file is not valid YAML or breaks its schema. The message starts with `file:line:`."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        super().__init__(f"{file}:{line}: {problem}")
        self.file = file
        self.line = line
        self.problem = problem
