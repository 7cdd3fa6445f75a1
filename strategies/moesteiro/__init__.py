"""Strategies of Moesteiro."""

DEFAULT = "allrounder"
