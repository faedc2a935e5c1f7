"""Messages to reads: each `resources/read` with the response that belongs to it.

Ids are unique per requestor only, and reused in production; the rules for both are in docs/pairing.md.
"""

from __future__ import annotations

import sys
from collections import OrderedDict, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from heapq import nsmallest
from itertools import islice
from typing import Any

from diagnosis.callers.credentials import Credential
from diagnosis.captures.frames import Glance
from diagnosis.captures.message import Direction, Message
from diagnosis.reads import methods
from diagnosis.reads.clock import Clock
from diagnosis.reads.context import Context
from diagnosis.reads.conversation import SCAN_LIMIT, Conversation, IdKey, OpenRequest, id_key, other_type
from diagnosis.reads.read import EXTRA_CUT, ODD_ID, Loss, NoAnswer, Read, Response
from diagnosis.reads.responses import digest, response, seen

# A stream: the session (or None), the channel of the capture, and the exchange of HTTP without sessions.
Stream = tuple[str | None, str | None, int | None]

OPEN_LIMIT = 1_000_000  # requests that wait for an answer, some 400 bytes each; reads among them are never forgotten
CONVERSATION_LIMIT = 50_000  # conversations that are remembered, some 1.5 kB each
EXTRA_LIMIT = 64  # further responses kept of one read; a note says where there were more


class Pairing:
    """Pairs the messages of one capture, or of a set that is one stream, and fills the context with what they list.

    `feed` returns the reads that the message began or changed; a read keeps its number. `first_number` and
    `first_position` continue the count of earlier sets; `clock` puts the times of reads and answers right.
    """

    def __init__(
        self,
        capture_set: str,
        context: Context,
        first_number: int = 0,
        first_position: int = 0,
        clock: Clock | None = None,
    ) -> None:
        self._set = capture_set
        self._context = context
        self._clock = clock or Clock()
        self._first = first_number
        self.reads: list[Read] = []
        self.position = first_position
        self.orphans = 0
        self._conversations: dict[Stream, Conversation] = {}
        self._count = 0
        self._open_by_id: defaultdict[IdKey, OrderedDict[int, None]] = defaultdict(OrderedDict)
        self._credentials: dict[str, Credential] = {}
        self._server_spoke = False
        self._exchange: Stream | None = None
        self._first_exchange = 0
        self._parted: list[Read] = []

    def feed(self, message: Message) -> tuple[Read, ...]:
        """Takes the next message of the set."""
        self.position += 1
        if message.http is None and self._exchange is None and not self._parted:
            return self._take(message)
        closed = self._leave_exchange(message)
        if self._parted:
            closed, self._parted = (*self._parted, *closed), []
        return (*closed, *self._take(message))

    def glance(self, glance: Glance) -> tuple[Read, ...] | None:
        """Takes the next message of the set where its frame is enough; None where the whole of it must be fed.

        That is enough of requests other than reads and what teaches something, and of their answers, where both are
        beyond doubt: one open request of the other side has the id.
        """
        direction, method = glance.direction, glance.method
        if direction is Direction.UNKNOWN or self._exchange is not None or self._parted:
            return None
        stream = (glance.session, glance.channel, None)
        if method is not None:
            if method in methods.LOOKED_INTO:
                return None
            self.position += 1
            if glance.request_id is None:
                return ()
            conversation, closed = self._asked(
                stream, direction, method, glance.request_id, alone=glance.session is None
            )
            conversation.ask(id_key(glance.request_id), OpenRequest(method, direction, self.position))
            return closed
        conversation = self._conversation(stream)
        if not (self._server_spoke or direction is Direction.TO_SERVER):
            return None
        if not conversation.server and _may_name_server(glance.record):
            return None
        key = id_key(glance.request_id)
        request = conversation.only_one(key, direction, None)
        if request is None or request.read is not None or request.method in methods.TEACHING:
            return None
        self.position += 1
        conversation.take(request, key, direction, None)
        self._closes(conversation, key, request)
        return ()

    def _take(self, message: Message) -> tuple[Read, ...]:
        body = message.body
        method = body.get("method")
        if isinstance(method, str):
            # A read without an id breaks JSON-RPC, and is still a read that somebody sent.
            if "id" in body or method == methods.READ:
                return self._request(message, method)
            return self._notification(message, method)
        if "result" in body or "error" in body:
            return self._response(message)
        return ()

    def _leave_exchange(self, message: Message) -> tuple[Read, ...]:
        """Forgets the stream of the exchange before this one: HTTP without sessions makes one a request."""
        stream = self._stream(message)
        exchange, self._exchange = self._exchange, stream if stream[2] is not None else None
        if exchange is None or exchange == stream:
            return ()
        conversation = self._conversations.pop(exchange, None)
        return () if conversation is None else tuple(self._close(conversation, NoAnswer.SILENT))

    def next_part(self) -> None:
        """The next message comes from the next capture of the set, which counts its HTTP exchanges anew."""
        self._first_exchange += 2**32

    def part_ways(self) -> None:
        """What comes now belongs to no conversation before it; reads that are still open stay unanswered."""
        for conversation in self._conversations.values():
            self._parted += self._close(conversation, NoAnswer.CAPTURE_ENDS)
        self._conversations.clear()
        self._credentials.clear()

    def forget(self) -> bool:
        """Forgets what waits longest where more waits than is kept; returns whether it did. Open reads always stay.

        Called now and then and not for each message, so that counting costs nothing beside pairing.
        """
        over = sum(each.waiting() for each in self._conversations.values()) - OPEN_LIMIT
        forgot = 0
        for conversation in self._conversations.values() if over > 0 else ():
            # Half as many again: a log that goes on like this is not counted anew for each that comes.
            forgot += conversation.forget_waiting(over + OPEN_LIMIT // 2 - forgot)
        if (many := len(self._conversations) - CONVERSATION_LIMIT) > 0:
            idle = ((s, c) for s, c in self._conversations.items() if not c.reads_open)
            for stream, _ in nsmallest(many, idle, key=lambda each: each[1].last_answer):
                forgot += 1
                del self._conversations[stream]
                if stream[0] is not None:
                    self._credentials.pop(stream[0], None)
        return forgot > 0

    def finish(self, stopped: bool = False) -> Iterator[Read]:
        """Ends the set: every read that is still open gets the cause for which it has no answer."""
        yield from self._parted
        for conversation in self._conversations.values():
            yield from self._close(conversation, NoAnswer.STOPPED if stopped else NoAnswer.CAPTURE_ENDS)

    # Requests and notifications

    def _request(self, message: Message, method: str) -> tuple[Read, ...]:
        request_id = message.body.get("id")
        direction = message.direction if message.direction is not Direction.UNKNOWN else methods.direction_of(method)
        alone = message.session is None and message.http is None
        conversation, closed = self._asked(self._stream(message), direction, method, request_id, alone=alone)
        earlier = self._earlier_credential(message)
        exchange = self._exchange_of(message) if message.http is not None else None
        request = OpenRequest(method, direction, self.position, None, exchange)
        key = id_key(request_id)
        if method != methods.READ:
            conversation.ask(key, request)
            params = message.body.get("params")
            if method == methods.COMPLETE and isinstance(params, Mapping):
                self._context.typed_values(self._set, self.position, seen(message), params)
            return closed
        return (*closed, *self._begin(message, conversation, key, request, earlier))

    def _asked(
        self, stream: Stream, direction: Direction, method: str, request_id: Any, *, alone: bool
    ) -> tuple[Conversation, tuple[Read, ...]]:
        """The conversation of a request, and the reads that it closes: it may be the first one of the next client.

        Without sessions and exchanges, `alone`, a stream holds one conversation after another.
        """
        closed: tuple[Read, ...] = ()
        conversation = self._conversation(stream)
        if direction is Direction.TO_SERVER:
            if alone and self._is_new(conversation, method, request_id):
                closed = tuple(self._close(conversation, NoAnswer.NEW_CONVERSATION))
                conversation = self._conversation(stream, anew=True)
            conversation.asked = True
            conversation.count_id(request_id)
        return conversation, closed

    def _earlier_credential(self, message: Message) -> Credential | None:
        """What an earlier request of the session said about its caller; this request speaks for later ones."""
        if message.session is None:
            return None
        earlier = self._credentials.get(message.session)
        if message.credential is not None:
            self._credentials[message.session] = message.credential
        return earlier

    def _is_new(self, conversation: Conversation, method: str, request_id: Any) -> bool:
        if not conversation.asked:
            return False
        if method == methods.INITIALIZE:
            return True
        if method == methods.DISCOVER and conversation.reads_answered:
            return True
        return conversation.begins_again(request_id)

    def _begin(
        self,
        message: Message,
        conversation: Conversation,
        key: IdKey,
        request: OpenRequest,
        earlier: Credential | None,
    ) -> tuple[Read, ...]:
        """Begins a read; reads open under the same id with another URI are doubtful, and so is this one."""
        read = self._read(message, conversation, earlier)
        index = len(self.reads)
        request.read = index
        before = conversation.ask(key, request)
        rivals = [e.read for e in before if e.read is not None and self.reads[e.read].uri != read.uri]
        # Inside HTTP the exchange decides which answer is whose, whatever the ids are.
        if rivals and request.exchange is None:
            read = replace(read, doubts=("id-reused",))
        else:
            rivals = []
        self.reads.append(read)
        conversation.reads_open[index] = key
        self._open_by_id[key][index] = None
        return (*(self._doubt(n, "id-reused") for n in rivals if "id-reused" not in self.reads[n].doubts), read)

    def _read(self, message: Message, conversation: Conversation, earlier: Credential | None) -> Read:
        params = message.body.get("params")
        uri = params.get("uri") if isinstance(params, Mapping) else None
        request_id = message.body.get("id")
        capture = message.span.capture
        time, basis = self._clock.of(capture, message.time, message.time_basis)
        return Read(
            number=self._first + len(self.reads),
            position=self.position,
            capture=capture,
            capture_set=self._set,
            request=seen(message),
            digest=digest(message),
            request_id=request_id if isinstance(request_id, (str, int, float, bool)) else None,
            uri=uri if isinstance(uri, str) else None,
            session=message.session and sys.intern(message.session),
            channel=message.channel,
            conversation=conversation.number,
            server=_address(message) or conversation.server,
            time=time,
            time_basis=basis,
            time_logged=message.time,
            traceparent=_traceparent(params),
            credential=message.credential,
            inherited=earlier,
            http=message.http,
            losses=message.losses,
            notes=message.notes if _is_id(request_id) or Loss.ID in message.losses else (*message.notes, ODD_ID),
        )

    def _notification(self, message: Message, method: str) -> tuple[Read, ...]:
        if method != methods.CANCELLED:
            return ()
        params = message.body.get("params")
        if not isinstance(params, Mapping) or "requestId" not in params:
            return ()
        # Each side cancels its own requests, so a server's `cancelled` never speaks of a read.
        conversation = self._conversation(self._stream(message))
        numbers = conversation.open_reads(id_key(params["requestId"]), message.direction)
        return tuple(self._change(n, cancelled=True) for n in sorted(numbers) if not self.reads[n].cancelled)

    # Responses

    def _response(self, message: Message) -> tuple[Read, ...]:
        if not self._server_spoke and message.direction is not Direction.TO_SERVER:
            self._server_spoke = not methods.is_from_client(message.body)
        conversation = self._conversation(self._stream(message))
        key = id_key(message.body.get("id"))
        exchange = self._exchange_of(message)
        request = conversation.answer(key, message.direction, message.body, exchange)
        if request is None:
            return self._without_request(message, conversation, key)
        return self._answered(message, conversation, key, request)

    def _answered(
        self, message: Message, conversation: Conversation, key: IdKey, request: OpenRequest
    ) -> tuple[Read, ...]:
        if request.read is not None:
            if request.direction is not Direction.TO_CLIENT:
                conversation.last_answer = self.position
            return (self._deliver(message, conversation, key, request.read),)
        self._closes(conversation, key, request)
        self._learn(message, conversation, request.method)
        return ()

    def _closes(self, conversation: Conversation, key: IdKey, request: OpenRequest) -> None:
        """An answer closes a request that is no read."""
        if request.direction is not Direction.TO_CLIENT:
            conversation.last_answer = self.position
        if request.direction is Direction.TO_SERVER:
            conversation.answered.pop(key, None)  # a further response under this id is this request's

    def _without_request(self, message: Message, conversation: Conversation, key: IdKey) -> tuple[Read, ...]:
        """A response whose id no open request has: a further one to a read, a retyped id, or a lost request."""
        fits_read = methods.answers(message.body, methods.READ)
        number = conversation.answered.get(key)
        if number is not None and fits_read and message.direction is not Direction.TO_SERVER:
            return self._further(message, number)
        retyped = other_type(key)
        if retyped is not None:
            exchange = self._exchange_of(message)
            request = conversation.answer(retyped, message.direction, message.body, exchange, strict=True)
            if request is not None:
                if request.read is not None:
                    self._doubt(request.read, "id-type-changed")
                return self._answered(message, conversation, retyped, request)
        if message.direction is not Direction.TO_SERVER:
            self._learn(message, conversation, None)
            result = message.body.get("result")
            self.orphans += isinstance(result, Mapping) and "contents" in result
        return ()

    def _further(self, message: Message, number: int) -> tuple[Read, ...]:
        read = self.reads[number]
        if len(read.extra) < EXTRA_LIMIT:
            return (self._change(number, extra=(*read.extra, self._taken(message))),)
        if EXTRA_CUT in read.notes:
            return ()
        return (self._change(number, notes=(*read.notes, EXTRA_CUT)),)

    def _deliver(self, message: Message, conversation: Conversation, key: IdKey, number: int) -> Read:
        answer = self._taken(message)
        read = self.reads[number]
        beside = () if _is_own(read, answer) or message.http else self._beside(conversation, read, key, number)
        conversation.reads_open.pop(number, None)
        conversation.reads_closed.append((number, self.position))
        conversation.reads_answered = True
        conversation.answered[key] = number
        self._forget_open(key, number)
        self._learn_server(message, conversation)
        return self._change(number, response=answer, beside=beside)

    def _taken(self, message: Message) -> Response:
        return response(message, self.position, self._clock)

    def _beside(self, conversation: Conversation, read: Read, key: IdKey, number: int) -> tuple[int, ...]:
        """The reads that were open together with this one: in its conversation, or under its id anywhere."""
        nearby = list(islice(reversed(conversation.reads_open), SCAN_LIMIT))
        nearby += [n for n, closed in conversation.reads_closed if closed > read.position]
        nearby += islice(self._open_by_id.get(key, ()), SCAN_LIMIT)
        return tuple(self._first + n for n in dict.fromkeys(nearby) if n != number)

    # What answers teach

    def _learn(self, message: Message, conversation: Conversation, method: str | None) -> None:
        result = message.body.get("result")
        if not isinstance(result, dict):
            return
        if not conversation.server:
            self._learn_server(message, conversation)
        if method in (methods.TEMPLATES, None) and "resourceTemplates" in result:
            server = _address(message) or conversation.server
            self._context.list_templates(self._set, self.position, server, seen(message), result)
        if method in (methods.RESOURCES, None) and "resources" in result:
            server = _address(message) or conversation.server
            self._context.list_resources(self._set, self.position, server, result, conversation.number)

    def _learn_server(self, message: Message, conversation: Conversation) -> None:
        result = message.body.get("result")
        if conversation.server or not isinstance(result, dict):
            return
        meta = result.get("_meta")
        info = result.get("serverInfo")
        if not isinstance(info, dict) and isinstance(meta, dict):
            info = meta.get("io.modelcontextprotocol/serverInfo")
        if isinstance(info, dict) and isinstance(name := info.get("name"), str):
            conversation.server = name

    # Streams

    def _stream(self, message: Message) -> Stream:
        exchange = self._exchange_of(message) if message.http is not None and message.session is None else None
        return (message.session, message.channel, exchange)

    def _exchange_of(self, message: Message) -> int | None:
        return self._first_exchange + message.http.number if message.http else None

    def _conversation(self, stream: Stream, anew: bool = False) -> Conversation:
        conversation = self._conversations.get(stream)
        if conversation is None or anew:
            self._count += 1
            conversation = self._conversations[stream] = Conversation(self._count)
        return conversation

    def _close(self, conversation: Conversation, cause: NoAnswer) -> Iterator[Read]:
        for number, key in list(conversation.reads_open.items()):
            read = self.reads[number]
            if read.cancelled:
                found = NoAnswer.CANCELLED
            elif cause is NoAnswer.CAPTURE_ENDS and not self._server_spoke:
                found = NoAnswer.ANOTHER_FILE
            elif cause is NoAnswer.CAPTURE_ENDS and conversation.last_answer > read.position:
                found = NoAnswer.SILENT
            else:
                found = cause
            self._forget_open(key, number)
            yield self._change(number, no_answer=found)
        conversation.reads_open.clear()

    def _forget_open(self, key: IdKey, number: int) -> None:
        same = self._open_by_id.get(key)
        if same is not None:
            same.pop(number, None)
            if not same:
                del self._open_by_id[key]

    def _change(self, number: int, **facts: Any) -> Read:
        self.reads[number] = replace(self.reads[number], **facts)
        return self.reads[number]

    def _doubt(self, number: int, doubt: str) -> Read:
        doubts = self.reads[number].doubts
        return self._change(number, doubts=doubts if doubt in doubts else (*doubts, doubt))


def _may_name_server(record: bytes) -> bool:
    return b"serverInfo" in record or b"\\u00" in record


def _traceparent(params: object) -> str | None:
    """The W3C trace context of a request, which every hop hands on (MCP 2026-07-28, `_meta`)."""
    meta = params.get("_meta") if isinstance(params, Mapping) else None
    found = meta.get("traceparent") if isinstance(meta, Mapping) else None
    return found if isinstance(found, str) else None


def _address(message: Message) -> str:
    """The server's address over HTTP, or the log's own name for it; a query names a session and not a server."""
    return (message.http.url or "").partition("?")[0] if message.http else message.server or ""


def _is_own(read: Read, answer: Response) -> bool:
    """Whether the answer names this read's URI, or names none at all: then no other read can be recognised in it."""
    if answer.failure is not None:
        return answer.failure.uri in (None, read.uri)
    return any(content.uri == read.uri for content in answer.contents)


def _is_id(value: object) -> bool:
    """Whether MCP takes this for an id; `1.0` and `true` are Python's integers only in a comparison."""
    return type(value) is str or type(value) is int
