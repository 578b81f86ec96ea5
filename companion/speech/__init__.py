"""Spoken sentences of the table: about events, in answer to questions, and a queue that drops old sentences."""

from companion.speech.answers import score_answer, turn_answer
from companion.speech.last_seconds import clock_says, last_second
from companion.speech.narrator import narrated, utterances_of
from companion.speech.queue import SpeechQueue

__all__ = ["SpeechQueue", "clock_says", "last_second", "narrated", "score_answer", "turn_answer", "utterances_of"]
