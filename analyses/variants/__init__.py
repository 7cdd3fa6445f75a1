"""What variants of the rules change."""
