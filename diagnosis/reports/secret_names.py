"""Which names say that a secret stands beside them: `password`, `db_password`, `userToken`, `x[sid]`."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from urllib.parse import unquote

_ALONE = {
    **dict.fromkeys(("passwd", "password", "passphrase", "pwd", "pass", "pin", "otp"), "password"),
    **dict.fromkeys(("token", "assertion", "auth", "authorization", "bearer", "code", "jwt"), "token"),
    **dict.fromkeys(("samlrequest", "samlresponse", "accesstoken", "idtoken", "refreshtoken"), "token"),
    **dict.fromkeys(("key", "accesskey", "apikey"), "key"),
    **dict.fromkeys(("sig", "sign", "signature", "sas"), "signature"),
    **dict.fromkeys(
        ("secret", "credential", "credentials", "cookie", "cookies", "session", "sessionid", "sid"), "secret"
    ),
}
_LAST = {
    word: _ALONE[word]
    for word in chain(
        (
            "passwd",
            "password",
            "passphrase",
            "pwd",
            "token",
            "assertion",
            "authorization",
            "jwt",
            "accesskey",
            "apikey",
        ),
        ("signature", "secret", "credential", "credentials", "cookie", "cookies", "sessionid", "sid"),
    )
}
# The last two words together.
_PAIRS = {
    **{
        (word, "key"): "key"
        for word in ("api", "access", "private", "secret", "account", "signing", "encryption", "subscription", "auth")
    },
    ("key", "id"): "key",
    ("session", "id"): "secret",
    ("code", "verifier"): "secret",
    ("auth", "code"): "token",
    ("authorization", "code"): "token",
}
# Words that our own sentences use before a colon, and that say little by themselves.
_AMBIGUOUS = frozenset(
    {"auth", "bearer", "code", "credential", "credentials", "key", "otp", "pass", "pin", "sas", "secret", "session"}
    | {"sig", "sign", "token"}
)
_SESSIONS = ("sessionid", "sessid")  # JSESSIONID, PHPSESSID, ASP.NET_SessionId
_COOKIES = frozenset(("cookie", "cookies"))
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


@lru_cache(maxsize=4096)
def kind_of(name: str) -> str | None:
    """The kind of the secret that such a name stands for, also where it is percent-encoded; None for other names."""
    name = unquote(unquote(name)) if "%" in name else name
    words = tuple(word.lower() for word in _WORD.findall(name))
    if not words:
        return None
    whole = "".join(words)
    alone = "secret" if whole.endswith(_SESSIONS) else _ALONE.get(whole)
    if alone is not None or len(words) == 1:
        return alone
    return _PAIRS.get(words[-2:]) or _LAST.get(words[-1])


def is_ambiguous(name: str) -> bool:
    """Whether a word may stand before a colon in any sentence."""
    return name.lower() in _AMBIGUOUS


def is_cookie(name: str) -> bool:
    """Whether all that follows on the line is a secret, pair by pair (RFC 6265 section 4)."""
    words = _WORD.findall(name)
    return bool(words) and words[-1].lower() in _COOKIES
