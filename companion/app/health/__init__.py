"""The command `doctor`: it checks everything that a game needs. Each finding is one sentence that says what to do."""

from companion.app.health.checkup import findings
from companion.app.health.finding import HealthFinding, HealthState

__all__ = ["HealthFinding", "HealthState", "findings"]
