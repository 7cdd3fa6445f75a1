"""What is printed in a game: its numbers, where they come from, how they may be changed, and files that people give."""
