"""Games that people played, beside games that strategies play."""
