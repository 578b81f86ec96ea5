"""The doctor: all that a game night takes, looked over, each thing in one sentence that says what to do."""

from companion.app.health.checkup import findings
from companion.app.health.finding import HealthFinding, HealthState

__all__ = ["HealthFinding", "HealthState", "findings"]
