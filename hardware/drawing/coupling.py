"""Computes how much of an emitter's light reaches its own receiver, and its neighbour's by reflection from a cube.

An emitter and the other beam's receiver are next to each other in one wall of the lane, and a pale cube in
front of them reflects light from one to the other. Lens and slit are modelled as points, the side of the cube
as small pieces that scatter light evenly.
"""

from dataclasses import dataclass
from math import cos, log, pi, radians
from typing import Any

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
LENS = 1.5  # millimetres, radius
SLIT_HIGH = 2.0
FINE = 0.5  # millimetres between two points of the model
PALE = 0.7  # share of near infrared that a cube of bare wood or white paint reflects


@dataclass(frozen=True)
class Eyes:
    """An emitter's intensity (mW/sr), a receiver's sensitivity (mA per mW/cm²), and their half angles in degrees."""

    mw_sr: float
    emits: float
    ma_per_mw_cm2: float
    sees: float


def direct_ma(z: dict[str, Any], eyes: Eyes) -> float:
    """Return a receiver's current in milliamperes with an empty lane; *z* has the gate's dimensions."""
    emitter, receiver = _lens(z, 0.0, -1), _lens(z, 0.0, 1)
    way = receiver[None] - emitter[:, None]
    far = np.linalg.norm(way, axis=2)
    along = way[..., 1] / far
    seen = _through(z, emitter[:, None], way) & _through(z, receiver[None], -way)
    light = along ** _order(eyes.emits) * along ** _order(eyes.sees) / far**2 * seen
    return float(light.sum()) * _strength(eyes)


def neighbour_ma(z: dict[str, Any], eyes: Eyes, reflects: float = PALE) -> float:
    """Return the largest current, in milliamperes, that an emitter causes in its neighbour's receiver through a cube.

    The cube's face is tried at five positions across the lane; *reflects* is the share of light that it reflects.
    """
    play = z["lane_w"] - z["edge"]
    return max(_scattered(z, eyes, -z["lane_w"] / 2 + share * play) for share in (0.05, 0.25, 0.5, 0.75, 1)) * reflects


def _scattered(z: dict[str, Any], eyes: Eyes, face_y: float) -> float:
    emitter, receiver = _lens(z, 0.0, -1), _lens(z, z["beam_gap"], -1)
    side = np.arange(FINE / 2, z["edge"], FINE)
    xs, zs = np.meshgrid(side + z["beam_gap"] / 2 - z["edge"] / 2, side)
    face = np.stack([xs.ravel(), np.full(xs.size, face_y), zs.ravel()], axis=1)
    there = _lit(z, emitter, face, _order(eyes.emits) + 1)
    back = _lit(z, receiver, face, _order(eyes.sees) + 1)
    return float(there @ back) * FINE**2 / pi * _strength(eyes)


def _lit(z: dict[str, Any], lens: Points, face: Points, order: float) -> Points:
    """Return the light from a lens on each piece of the face, which equals the light from the piece on the lens."""
    way = face[None] - lens[:, None]
    far = np.linalg.norm(way, axis=2)
    return np.asarray(((way[..., 1] / far) ** order / far**2 * _through(z, lens[:, None], way)).sum(axis=0))


def _lens(z: dict[str, Any], x: float, side: int) -> Points:
    """Return the points of a lens at *x* that its slit does not cover."""
    across = np.arange(-LENS + FINE / 2, LENS, FINE)
    xs, zs = np.meshgrid(across, across)
    kept = (np.abs(xs) <= z["slit"] / 2) & (np.abs(zs) <= SLIT_HIGH / 2) & (xs**2 + zs**2 <= LENS**2)
    return np.stack([xs[kept] + x, np.full(kept.sum(), side * _front(z)), zs[kept] + z["beam_z"]], axis=1)


def _through(z: dict[str, Any], start: Points, way: Points) -> NDArray[np.bool_]:
    """Return for each ray from a lens whether it passes its slit, which ends at the lane's wall."""
    share = z["led_wall"] / np.abs(way[..., 1])
    middle = np.round(start[..., 0] / z["beam_gap"]) * z["beam_gap"]
    x = start[..., 0] - middle + way[..., 0] * share
    up = start[..., 2] - z["beam_z"] + way[..., 2] * share
    return np.asarray((np.abs(x) <= z["slit"] / 2) & (np.abs(up) <= SLIT_HIGH / 2))


def _front(z: dict[str, Any]) -> float:
    return float(z["lane_w"] / 2 + z["led_wall"])


def _order(half_angle: float) -> float:
    """Return the power of the cosine that is one half at *half_angle* degrees."""
    return log(0.5) / log(cos(radians(half_angle)))


def _strength(eyes: Eyes) -> float:
    """Return the current that one point of an emitter causes in a point of a receiver 1 mm away, in milliamperes."""
    across = np.arange(-LENS + FINE / 2, LENS, FINE)
    points = int((across[:, None] ** 2 + across[None] ** 2 <= LENS**2).sum())
    return eyes.mw_sr * eyes.ma_per_mw_cm2 * 100 / points**2
