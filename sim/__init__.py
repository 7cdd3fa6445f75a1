"""Rules and playing: chance, the contract of a game, the hot loop, the runner; one folder a game.

Nothing here knows a strategy or a question.
"""
