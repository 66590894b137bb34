"""`knowledge check`: what is doubtful in the veterinary knowledge that ships with the service."""

import argparse

from domain.knowledge.checks import check_knowledge


def check(_arguments: argparse.Namespace) -> int:
    """Print each finding; exit code 1 when one is an error."""
    findings = check_knowledge()
    for finding in findings:
        print(f"{finding.severity}: {finding.file}: {finding.problem}")
    errors = sum(finding.severity == "error" for finding in findings)
    print(f"{errors} errors, {len(findings) - errors} warnings")
    return 1 if errors else 0
