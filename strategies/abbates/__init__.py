"""Strategies of Abbates."""

DEFAULT = "random_legal"
