"""The smallest change that balances a game."""
