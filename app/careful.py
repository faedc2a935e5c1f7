"""A command that takes each word of its options seriously: none is dropped or ignored without a word."""

from __future__ import annotations

import click


class CarefulCommand(click.Command):
    """Refuses an option without a value in its word, and a second value where only one counts.

    `--policy "$POLICY"` with a variable that is not set would else judge without the policy, and the first of two
    `--policy` would be dropped: both give a clean report. A flag may stand twice, it says the same again.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Checks the words before they are used."""
        if not ctx.resilient_parsing:
            values, _, order = self.make_parser(ctx).parse_args(list(args))
            for option in self.get_params(ctx):
                if isinstance(option, click.Option) and not option.is_flag and not option.count:
                    _check(option, values.get(option.name or ""), order.count(option), ctx)
        return super().parse_args(ctx, args)


def _check(option: click.Option, value: object, times: int, ctx: click.Context) -> None:
    name = max(option.opts, key=len)
    if times > 1 and not option.multiple:
        raise click.UsageError(f"{name} is given {times} times, and only one can count.", ctx)
    for word in value if isinstance(value, list | tuple) else (value,):
        if isinstance(word, str) and not word.strip():
            raise click.UsageError(f"{name} is given without a value.", ctx)
