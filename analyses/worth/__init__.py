"""What things are worth when they are dealt."""
