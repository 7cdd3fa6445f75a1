"""The commands, a file each, and what only one of them needs."""
