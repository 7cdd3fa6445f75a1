"""Strategies of Moesteiro."""

DEFAULT = "greedy"
