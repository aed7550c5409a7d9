"""A first look at a table: what is in it, column by column, and its first rows."""

import textwrap

import satsuma

CLOSING = """
This is a sample of a census: a row for each person, and a line above for each column, with its
shape or its most common values. 'y' is the target: does the person earn more than 50,000 dollars
a year? Missing cells are counted apart, so that no summary hides them."""


def main() -> None:
    """Show a shipped table."""
    table = satsuma.load("adult_sample")
    print(table)
    print("\nThe first three rows:\n")
    for row in table[:3]:
        print(textwrap.fill(repr(row), 100, subsequent_indent="    ", break_on_hyphens=False))
    print(CLOSING)


if __name__ == "__main__":
    main()
