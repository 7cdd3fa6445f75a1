"""The tables of a line, one file each."""
