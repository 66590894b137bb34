"""Reproducible measurements. Each prints JSON lines with a ratio to a baseline of the same run; none is a test."""
