"""Two sets of numbers, or two ways to play, side by side."""
