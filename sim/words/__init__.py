"""A game in words: one told move by move, its table laid out."""
