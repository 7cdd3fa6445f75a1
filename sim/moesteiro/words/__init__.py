"""Moesteiro in words."""
