"""A game of Moesteiro in the words of its rulebook, from the lines of its record (docs/record.md)."""

from sim.moesteiro.telling_words import option, question

__all__ = ["option", "question"]
