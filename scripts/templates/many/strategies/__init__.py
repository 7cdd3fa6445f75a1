"""Strategies of Mygame."""

DEFAULT = "sprinter"
LEVELS = ("sprinter",)
LADDER = ("random_legal", "sprinter")  # from the weakest to the strongest; random_legal is always there
