"""Compress pages, styles and scripts with gzip for browsers that accept it, to a fifth of their size."""

from __future__ import annotations

from functools import lru_cache
from gzip import compress

from flask import request
from werkzeug.wrappers import Response

PACKED = ("text/html", "text/css", "text/javascript", "application/javascript", "image/svg+xml")
LEAST_BYTES = 1000
EFFORT = 4  # of 9; on a small computer, higher levels take more time than they save
_MOST_CACHED = 64  # enough for all styles and scripts


def pack(response: Response) -> Response:
    """Return *response*, compressed if that is worth it. Files with an ETag are compressed once and cached."""
    if not _worth_it(response):
        return response
    response.direct_passthrough = False
    body, (tag, _) = response.get_data(), response.get_etag()
    if len(body) < LEAST_BYTES:
        return response
    response.set_data(_compressed(body) if tag else compress(body, EFFORT))
    response.headers["Content-Encoding"] = "gzip"
    response.vary.add("Accept-Encoding")
    if tag:
        response.set_etag(tag, weak=True)  # weak, since the bytes differ now
    return response


def _worth_it(response: Response) -> bool:
    return (
        response.status_code == 200
        and request.method == "GET"
        and response.mimetype in PACKED
        and "Content-Encoding" not in response.headers
        and request.accept_encodings["gzip"] > 0
    )


@lru_cache(maxsize=_MOST_CACHED)
def _compressed(body: bytes) -> bytes:
    return compress(body, EFFORT)
