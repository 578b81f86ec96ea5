"""What the table says aloud: sentences about events, answers to questions, and a queue that drops old sentences."""

from companion.speech.answers import score_answer, turn_answer
from companion.speech.last_seconds import clock_says, last_second
from companion.speech.narrator import SpeechQueue, narrated, told_aloud

__all__ = ["SpeechQueue", "clock_says", "last_second", "narrated", "score_answer", "told_aloud", "turn_answer"]
