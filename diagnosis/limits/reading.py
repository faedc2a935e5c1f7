"""The limits on what is read and kept of captures."""

from __future__ import annotations

import diagnosis.follow as follow
import diagnosis.gather as gather
import diagnosis.statements as statements
from diagnosis.callers import authorization, credentials
from diagnosis.captures import (
    archives,
    compression,
    fields,
    inside,
    otlp,
    python_literals,
    python_sessions,
    repeats,
    sources,
    sqlite_rows,
    unpack,
    wrapped,
)
from diagnosis.captures import records as broken
from diagnosis.case import saving, shape, text
from diagnosis.limits.limit import Limit
from diagnosis.reads import context, conversation, documents, lending, pairing, responses, witnesses

_HEADER = "report header and exit sentence"
_PROBLEM = "problems of the input"
_REFUSED = "refused files"
_REMARK = "remark on the read"
_ANSWER = "answer 2 of the read"
_ERROR = "error message"

BYTES = (
    Limit("line", sources, "LONGEST_LINE", "bytes", "the line is unreadable; its beginning is kept", _PROBLEM),
    Limit("one-document capture", sources, "WHOLE_LIMIT", "bytes", "the rest is not read", _PROBLEM),
    Limit("beginning looked at for the format", sources, "HEAD", "bytes", "signs behind it do not count", "formats"),
    Limit("unpacked bytes of a file", unpack, "LIMITS.total", "bytes", "unpacking ends", "capture is partial"),
    Limit("unpacked to packed bytes", unpack, "LIMITS.ratio", "times", "unpacking ends", "capture is partial"),
    Limit("bytes before the ratio counts", unpack, "LIMITS.free", "bytes", "the ratio is looked at", "nothing is lost"),
    Limit("compressions inside each other", unpack, "NESTING", "layers", "the file is no capture", _REFUSED),
    Limit(
        "window of a compression", compression, "MEMORY", "bytes", "the stream is broken there", "capture is partial"
    ),
    Limit("members of an archive", archives, "MEMBER_LIMIT", "members", "later ones are not read", _REFUSED),
    Limit("list of members of an archive", archives, "_DIRECTORY_LIMIT", "bytes", "the archive is not read", _REFUSED),
    Limit("database", sqlite_rows, "IN_MEMORY", "bytes", "the database is not read", _REFUSED),
    Limit("rows of a database", sqlite_rows, "ROW_LIMIT", "rows", "later rows are not read", _PROBLEM),
    Limit("value in a database", sqlite_rows, "VALUE_LIMIT", "bytes", "the row is not read", _PROBLEM),
    Limit("work for a row of a database", sqlite_rows, "STEPS_LIMIT", "100,000 steps", "reading it ends", _PROBLEM),
    Limit("depth of a format's own fields", fields, "_DEPTH", "levels", "deeper fields are not seen", "line is other"),
    Limit("JSON in strings of a record", fields, "STRINGS", "layers", "deeper ones are text", "line is other"),
    Limit("records inside records", inside, "LAYERS", "layers", "deeper ones are text", "line is other"),
    Limit("lines looked at for a wrapping", wrapped, "SAMPLE", "lines", "signs behind them do not count", "formats"),
    Limit("depth of Python literals", python_literals, "DEEPEST", "levels", "the line is unreadable", _PROBLEM),
    Limit(
        "excerpt of an unreadable line", broken, "EXCERPT", "bytes", "it is cut", "line, offset and length stand there"
    ),
)

READS = (
    Limit("reads", gather, "READ_LIMIT", "reads", "reading ends; the result is partial", _HEADER),
    Limit("URIs and fields of all reads", gather, "TEXT_LIMIT", "characters", "reading ends; it is partial", _HEADER),
    Limit("unreadable lines that are listed", gather, "PROBLEM_LIMIT", "lines", "later ones are counted", _HEADER),
    Limit("requests that wait", pairing, "OPEN_LIMIT", "requests", "the oldest are forgotten, reads never", _HEADER),
    Limit("conversations", pairing, "CONVERSATION_LIMIT", "conversations", "the idle ones are forgotten", _HEADER),
    Limit("further answers to a read", pairing, "EXTRA_LIMIT", "answers", "later ones are not judged", _REMARK),
    Limit("id", conversation, "ID_LIMIT", "characters", "it is compared by its SHA-256", "nothing is lost"),
    Limit(
        "requests of one id that are compared",
        conversation,
        "SCAN_LIMIT",
        "requests",
        "the others are not",
        "id-reused",
    ),
    Limit("listed templates of a capture", context, "TEMPLATE_LIMIT", "templates", "later ones do not count", _HEADER),
    Limit("listed resources, typed values", context, "LIST_LIMIT", "entries", "later ones do not count", _HEADER),
    Limit("text of all that is listed", context, "TEXT_LIMIT", "characters", "later entries do not count", _HEADER),
    Limit(
        "typed values for a read", context, "TYPED_LIMIT", "values", "older ones do not count", "answer 1 of the read"
    ),
    Limit("tokens and callers with names", credentials, "LABEL_LIMIT", "names", "later ones share one", _HEADER),
    Limit("headers that are remembered", credentials, "KNOWN_LIMIT", "headers", "read again", "nothing is lost"),
    Limit("token", authorization, "LONGEST_TOKEN", "characters", "its claims are not read", "answer 3 of the read"),
    Limit("items of an answer", responses, "CONTENT_LIMIT", "items", "later ones are not looked at", _REMARK),
    Limit("an error's own words", responses, "MESSAGE_LIMIT", "characters", "they are cut", "the messages have all"),
    Limit("document read as JSON", documents, "JSON_LIMIT", "bytes", "it is unreadable", _ANSWER),
    Limit("document read as CSV", documents, "TEXT_LIMIT", "characters", "it is unreadable", _ANSWER),
    Limit("document read as YAML", documents, "YAML_LIMIT", "characters", "it is unreadable", _ANSWER),
    Limit("depth of YAML", documents, "DEPTH_LIMIT", "levels", "it is unreadable", _ANSWER),
    Limit("fields of a document", documents, "FIELD_LIMIT", "fields", "later ones are not compared", _ANSWER),
    Limit("value of a field", documents, "VALUE_LIMIT", "characters", "the field is not compared", _ANSWER),
    Limit("records near one read", lending, "CROWD", "reads", "the record names nobody", "answer 3 of the read"),
    Limit("equal reads looked at for a second view", witnesses, "SCAN_LIMIT", "reads", "not joined", "counted twice"),
    Limit("sets that hold one read", witnesses, "SHARED_LIMIT", "sets", "they are not called alike", "nothing is lost"),
    Limit("spans of reads that are remembered", otlp, "_SEEN", "spans", "a second end counts anew", "as many as reads"),
    Limit("views of one message", repeats, "LIMIT", "messages", "an older one counts anew", "the extra read is shown"),
    Limit("requests with known sessions", python_sessions, "LIMIT", "requests", "older: none", "no session is shown"),
    Limit("notices while following", follow, "NOTICES", "sentences", "the oldest are dropped", "the newest are shown"),
)

FILES = (
    Limit("policy or template file", statements, "_FILE_LIMIT", "bytes", "it is refused", _ERROR),
    Limit("case file", text, "FILE_LIMIT", "bytes", "it is refused", _ERROR),
    Limit("depth of a case file", text, "DEPTH_LIMIT", "levels", "it is refused", _ERROR),
    Limit("note or reason", shape, "TEXT_LIMIT", "characters", "it is refused", _ERROR),
    Limit("author, caller or tenant", shape, "NAME_LIMIT", "characters", "it is refused", _ERROR),
    Limit("wait for the lock of a case file", saving, "LOCK_SECONDS", "seconds", "nothing is saved", _ERROR),
    Limit("attempts to save a case file", saving, "_ATTEMPTS", "attempts", "nothing is saved", _ERROR),
)
