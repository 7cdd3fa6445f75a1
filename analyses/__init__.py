"""Questions: what to play → tidy tables → findings. No plotting, and no analysis names a game."""
