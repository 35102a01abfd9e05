"""What Schemathesis must know of the server: feeds have to end, fixtures stay, and some findings are none."""

import re

import schemathesis

ACCEPTED = "ST201"
REFUSED = "ST202"
ALLOW = "ST205"
RESPONSE = "ST108"
CREDENTIALS = "ST401"
DELETED = "ST301"

# Findings that are none: the code of Schemathesis, what it, the response or the names in the query say, and why.
NONE = [
    (CREDENTIALS, "got `400 ", "as in CouchDB, a cookie of another form is a bad request"),
    (ALLOW, "advertised: COPY(, POST)?$", "OpenAPI 3.1 does not know COPY, and forms stand at documents, also of users"),
    (RESPONSE, "^SSE event", "OpenAPI 3.1 describes a stream of events as a text"),
    (ACCEPTED, "in body - incorrect type", "`null` is no body, which is optional"),
    (REFUSED, "Malformed sequence", "the sequences of other servers are none"),
    (REFUSED, "Referer header must match host", "the page of the example is on another host"),
    (REFUSED, "file already exists", "the database of the examples is there"),
    (REFUSED, "Selector must be specified", "the filter `_selector` needs a body"),
    (REFUSED, "is incompatible with", "`keys` excludes a range"),
    (DELETED, "^query: .*rev", "revisions of a deleted document can be read"),
]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    query = "query: " + " ".join(case.query)
    text = "\n".join([failure.title, failure.message, query, response.text])
    return not any(failure.code == code and re.search(said, text, re.MULTILINE) for code, said, _ in NONE)


@schemathesis.hook
def before_call(context, case, kwargs):
    path = case.path_parameters
    if case.method == "DELETE" and path.get("db") == "recipes" and len(path) == 1:
        path["db"] = "leftovers"
    if "section" in path and case.method != "GET":
        path["section"] = "unused"
    if case.media_type == "multipart/related":
        case.headers["Content-Type"] = "multipart/related; boundary=b"
    if case.query.get("feed") in ("longpoll", "continuous", "eventsource"):
        end_feed(case)


def end_feed(case):
    """With a heartbeat only a limit ends a feed, and only the fixtures are sure to have rows. What is invalid stays so."""
    query = case.query
    if is_valid(query.get("heartbeat")) and case.path_parameters.get("db") != "recipes":
        query.pop("heartbeat")
    if is_valid(query.get("heartbeat")):
        query.pop("filter", None)
        query.pop("last-event-id", None)
        case.headers.pop("Last-Event-ID", None)
        query.update(limit=1, since="0")
    elif is_valid(query.get("timeout")):
        query["timeout"] = min(int(query["timeout"]), 20)


def is_valid(value):
    return re.fullmatch("true|[0-9]+", str(value).lower()) is not None


# The description has these bodies as a text, with the boundary of its examples.
@schemathesis.serializer("multipart/related")
def related(ctx, value):
    return str(value).encode("utf-8", "replace")
