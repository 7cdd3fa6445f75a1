"""The command line, the set-up and the benchmark."""
