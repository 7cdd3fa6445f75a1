"""A game in one file (docs/game.md): what its author imports, and its text → the modules that a game of many files
has."""
