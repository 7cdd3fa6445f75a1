"""Findings → figures, words and one page. Nothing here plays a game."""
