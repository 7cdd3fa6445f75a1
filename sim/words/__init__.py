"""A game in words: told move by move, or laid out as a table."""
