"""What a person asked for beside the captures and statements, in the words of every report."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from diagnosis.diagnosis import Diagnosis
from diagnosis.options import Join, Options
from diagnosis.questions.judgement import Judgement
from diagnosis.reports.masking import Masking
from diagnosis.reports.tally import counted_as
from diagnosis.wording import listing, quoted

NAMED = 8  # captures that one sentence names; a rotated log may have hundreds of parts


def given(options: Options) -> dict[str, str | bool | list[str]]:
    """The options that were given, by their names on the command line; defaults are left out."""
    found: dict[str, str | bool | list[str]] = {}
    if options.capture_format is not None:
        found["capture-format"] = options.capture_format
    if options.join is not Join.AUTO:
        found["join"] = options.join.value
    if options.same_traffic:
        found["same-traffic"] = True
    if options.zone is not None:
        found["zone"] = options.zone.key
    if options.shifts:
        found["shift"] = [f"{path}={_span(by)}" for path, by in options.shifts.items()]
    for name, when in (("since", options.since), ("until", options.until)):
        if when is not None:
            found[name] = _text(when)
    if options.sessions:
        found["session"] = list(options.sessions)
    if options.where is not None:
        found["where"] = options.where
    if options.scope != "all":
        found["scope"] = options.scope
    if options.baseline is not None:
        found["baseline"] = options.baseline
    if options.fail_on:
        found["fail-on"] = ",".join(options.fail_on)
    return found


def words(diagnosis: Diagnosis, masking: Masking, *, left_out: bool = True) -> Iterator[tuple[str, str]]:
    """The same for a person: pairs of an option and its value, masked; then the files that were left out, if asked."""
    for name, value in given(diagnosis.options).items():
        for each in value if isinstance(value, list) else [value]:
            if each is True:
                yield f"--{name}", ""
            else:
                yield f"--{name}", masking.session(str(each)) if name == "session" else masking.typed(str(each))
    if left_out and diagnosis.options.left_out:
        yield "no capture, left out:", listing(diagnosis.options.left_out, NAMED)


def not_shown(diagnosis: Diagnosis) -> list[Judgement]:
    """The reads that are known and lie outside of what was asked for."""
    selection = diagnosis.selection
    return [] if selection.everything else [each for each in diagnosis.judgements if not selection.covers(each)]


def about_sets(diagnosis: Diagnosis) -> Iterator[str]:
    """Sentences on captures that are one stream, and on those that look like the same traffic; printable."""
    for each in diagnosis.sets:
        yield f"Read as one stream: {listing(map(quoted, each.paths), NAMED)}. They are {each.why}."
        if each.parted:
            named = listing(map(quoted, each.parted), NAMED)
            yield f"Nothing was carried over into {named}: it does not go on where the part before it ends."
    for pair in diagnosis.alike[:NAMED]:
        yield (
            f"{quoted(pair.one)} and {quoted(pair.other)} look like two captures of the same traffic "
            f"({counted_as(pair.reads, 'read')} alike) and were counted as two; --same-traffic counts each read once."
        )
    if len(diagnosis.alike) > NAMED:
        yield f"So do {len(diagnosis.alike) - NAMED} further pairs of captures."


def about_shown(diagnosis: Diagnosis) -> Iterator[str]:
    """Sentences on reads that are left out, and on those that are shown for want of a time; printable."""
    hidden = not_shown(diagnosis)
    if hidden:
        findings = sum(bool(each.findings) for each in hidden)
        yield (
            f"{counted_as(len(hidden), 'read')} outside of what was asked for "
            f"{'is' if len(hidden) == 1 else 'are'} not shown; {findings} of them with a finding."
        )
    timeless = sum(diagnosis.selection.is_timeless(each) for each in diagnosis.judgements)
    if timeless:
        yield f"{counted_as(timeless, 'read')} shown without a time that can be compared; --zone NAME may give it one."


def _span(by: timedelta) -> str:
    seconds = by.total_seconds()
    return f"{seconds:+.3f}".rstrip("0").rstrip(".") + "s"


def _text(when: datetime) -> str:
    try:
        return when.astimezone(UTC).isoformat().replace("+00:00", "Z")
    except OverflowError:  # the first and the last day that a datetime knows
        return when.isoformat()
