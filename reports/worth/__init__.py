"""The page on the worth of things."""
