"""What a game prints: its numbers, where they come from, how they may change, and the files that people write."""
