"""Fuzz target: a template and a URI, a line each, are aligned; what a template expands to fits it strictly."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["diagnosis"]):
    from diagnosis.uris.alignment import align, expected
    from diagnosis.uris.reading import Fit
    from diagnosis.uris.templates import Expression, TemplateError, expand, parse


def check(data: bytes) -> None:
    """Raises where an alignment contradicts itself or the expander."""
    text, _, uri = data.decode("utf-8", "surrogateescape").partition("\n")
    try:
        template = parse(text)
    except TemplateError:
        return
    found = align(uri, template)
    for alignment in found.found if found else ():
        assert all(0 <= each.start <= each.end <= len(uri) for each in alignment.bindings)
        # `expected` mends an undeclared parameter that may be the rest of a value, and a literal that no URI may hold.
        mended = alignment.undeclared or template.irregular
        assert alignment.fit is not Fit.STRICT or mended or expected(alignment, uri) == uri
    values = {each.name: "v1" for part in template.parts if isinstance(part, Expression) for each in part.variables}
    made = expand(template, values)
    strict = align(made, template)
    assert strict is not None and (strict.fit is Fit.STRICT or strict.exhausted), (text, made)


if __name__ == "__main__":
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()
