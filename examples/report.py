"""A page about a shipped table: what is in it, what may be wrong, which model to take and why."""

from pathlib import Path

import satsuma

CLOSING = """
Open it in a browser: it is one file, and asks for nothing from the network. It tells what is in the
table and what may be wrong with it, which learner to take, what its model believes and where it
errs, which rows are odd or belong together, and what sets the classes apart."""


def main() -> None:
    """Write the page, and say where it is."""
    folder = Path("build", "demo")
    folder.mkdir(parents=True, exist_ok=True)
    page = satsuma.write_report(satsuma.load("heart_disease"), folder / "heart_disease.html")
    print(f"A report on heart_disease: {page.resolve()} ({page.stat().st_size // 1000} kB)")
    print(CLOSING)


if __name__ == "__main__":
    main()
