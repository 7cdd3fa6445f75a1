"""Strategies of Pig."""

DEFAULT = "hold_at"
