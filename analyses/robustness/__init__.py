"""Findings beside all plausible sets of numbers."""
