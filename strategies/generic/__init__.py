"""Strategies for every game: they know its functions, and nothing of what it is about."""
