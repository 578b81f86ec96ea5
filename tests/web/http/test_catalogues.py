"""The catalogues are complete: they contain every sentence of the source, with its placeholders, and are compiled."""

from __future__ import annotations

import pytest

from companion.kernel.languages import LANGUAGES
from tests.web.catalogues import asked_for, catalogue, compiled, path_of
from web.http.i18n import DEFAULT

OTHERS = [language for language in LANGUAGES if language != DEFAULT]
each = pytest.mark.parametrize("language", OTHERS)


@each
def test_a_catalogue_knows_every_sentence(language: str) -> None:
    """Languages: the catalogue contains exactly the sentences of the source (`make words`)."""
    known = {message.id for message in catalogue(language) if message.id}

    assert known - asked_for() == set()
    assert asked_for() - known == set()


@each
def test_what_pages_read_is_what_translators_wrote(language: str) -> None:
    """Languages: the compiled catalogue matches the written one (`make words`)."""
    assert path_of(language, "mo").read_bytes() == compiled(catalogue(language))


@each
def test_every_gap_of_a_sentence_is_kept(language: str) -> None:
    """Languages: a translation has the same placeholders as its sentence, and none is marked fuzzy."""
    words = catalogue(language)

    assert [(message.id, [str(fault) for fault in faults]) for message, faults in words.check()] == []
    assert [message.id for message in words if message.id and message.fuzzy] == []


@each
def test_no_sentence_waits_for_a_translation(language: str) -> None:
    """Languages: every sentence is translated, in each of its plurals."""
    waiting = [message.id for message in catalogue(language) if message.id and not _whole(message.string)]

    assert waiting == []


def _whole(text: str | tuple[str, ...] | list[str]) -> bool:
    return bool(text) if isinstance(text, str) else bool(text) and all(text)
