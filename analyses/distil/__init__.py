"""A policy that learns from look-ahead what is worth most, and chooses without it."""
