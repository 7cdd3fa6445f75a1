"""Monte Carlo balance analyzer for tabletop games."""


def main() -> None:
    """Run the command line."""
    from scripts.cli import main

    main()


if __name__ == "__main__":
    main()
