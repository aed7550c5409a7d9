"""The app: all commands, each registered by one line."""

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from satsuma.cli import failures
from satsuma.cli.commands.cluster import cluster
from satsuma.cli.commands.compare import compare
from satsuma.cli.commands.datasets import datasets
from satsuma.cli.commands.explain import explain
from satsuma.cli.commands.export import export
from satsuma.cli.commands.label import label
from satsuma.cli.commands.learn import learn
from satsuma.cli.commands.look import look
from satsuma.cli.commands.outliers import outliers
from satsuma.cli.commands.plan import plan
from satsuma.cli.commands.plot import plot
from satsuma.cli.commands.predict import predict
from satsuma.cli.commands.report import report
from satsuma.cli.commands.show import show
from satsuma.errors import hint

#: The commands, in the order in which the help lists them.
COMMANDS = (
    look,
    compare,
    learn,
    show,
    predict,
    export,
    explain,
    plot,
    cluster,
    outliers,
    plan,
    label,
    report,
    datasets,
)


class Commands(TyperGroup):
    """The commands by name; one that is not there is refused with those that are."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that stands first."""
        if args and args[0] not in self.commands:
            known = list(self.commands)
            ctx.fail(f"There is no command {args[0]!r}. {hint(args[0], known, most=len(known))}")
        return super().resolve_command(ctx, args)


app = typer.Typer(
    name="satsuma",
    cls=Commands,
    rich_markup_mode="rich",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)

#: What a version is marked with that was installed without a C compiler.
_PURE = "pure Python, without compiled kernels: the same results, but slower"


def _version(wanted: bool) -> None:
    if wanted:
        import satsuma
        from satsuma.kernels import compiled

        marker = "" if compiled else f" ({_PURE})"
        sys.stdout.write(f"satsuma {satsuma.__version__}{marker}\n")
        raise typer.Exit


@app.callback()
def top(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error; may stand anywhere.")
    ] = False,
) -> None:
    """Models you can read, trust and act on, from tables with missing values and few labels.

    \b
    A first walk:
      satsuma look voting                       what is in a table
      satsuma compare voting                    which learner to take
      satsuma learn voting -o votes.satsuma     learn and save a model
      satsuma predict votes.satsuma new.csv     predict other rows
    """
    del version, debug


for each in COMMANDS:
    app.command(no_args_is_help=each is not datasets)(failures.one_line_errors(each))


def run(arguments: list[str]) -> int:
    """Run a command, and return its exit code."""
    failures.debug = "--debug" in arguments
    arguments = [each for each in arguments if each != "--debug"]
    try:
        app(arguments, prog_name="satsuma")
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    except KeyboardInterrupt:
        return failures.INTERRUPTED
    return 0
