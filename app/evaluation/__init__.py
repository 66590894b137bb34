"""Measuring the product on labelled cases: read them blind, let the product answer, score the answers.

Where to look: cases without their labels `cases`; one runner a suite, which turns blind cases into predictions
(`dates_suite` …); all of it together `suites`; what an answer is worth `scoring`. Fields, label policy and metrics:
docs/evaluation.md.
"""
