"""Abbates in words."""
