"""The archive for printing: valid 3MF plates, the same bytes each time, with checksums of all files."""

import re
import tomllib
from hashlib import sha256
from io import BytesIO
from xml.etree import ElementTree
from zipfile import ZipFile

import numpy as np
import pytest
import trimesh

from hardware.drawing import plates, release, solids, threemf
from hardware.drawing.stamp import HERE

CORE = {"m": "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"}
MODEL = "3D/3dmodel.model"


def model(package: bytes) -> ElementTree.Element:
    """Return the model part of a 3MF file."""
    return ElementTree.fromstring(ZipFile(BytesIO(package)).read(MODEL))  # noqa: S314 - written a moment ago


def opened(package: bytes) -> dict[str, trimesh.Trimesh]:
    """Return the bodies in the build of a 3MF file, by name."""
    root = model(package)
    objects = {one.get("id"): one for one in root.findall("m:resources/m:object", CORE)}
    built = [objects[item.get("objectid")] for item in root.findall("m:build/m:item", CORE)]
    assert len(built) == len(objects)
    return {one.get("name"): mesh(one) for one in built}


def mesh(of: ElementTree.Element) -> trimesh.Trimesh:
    """Return an object's mesh as written, without merging vertices."""
    corners = [[float(each.get(axis)) for axis in "xyz"] for each in of.findall("m:mesh/m:vertices/m:vertex", CORE)]
    faces = [
        [int(each.get(corner)) for corner in ("v1", "v2", "v3")]
        for each in of.findall("m:mesh/m:triangles/m:triangle", CORE)
    ]
    assert np.unique(corners, axis=0).shape == np.array(corners).shape
    return trimesh.Trimesh(corners, faces, process=False)


def test_each_part_is_on_one_plate_and_each_plate_says_what_it_is_printed_of():
    """Each part is on exactly one plate, and each plate says of which material it is printed."""
    assert sorted(part for parts in plates.PLATES.values() for part in parts) == sorted(solids.PARTS)
    assert set(release.PRINTED) == set(plates.PLATES)


@pytest.mark.parametrize("name", plates.PLATES)
def test_a_plate_is_a_sound_3mf_file(ring, name):
    """A plate is a valid 3MF file: millimetres, closed bodies with outward faces, resting on the bed."""
    parts = plates.PLATES[name]
    package = threemf.package(name, plates.laid(parts, ring.mesh))
    root = model(package)
    bodies = opened(package)

    assert root.get("unit") == "millimeter"
    assert set(bodies) == set(parts)
    for part, body in bodies.items():
        assert body.is_watertight
        assert body.is_winding_consistent
        assert body.volume == pytest.approx(ring.mesh[part].volume, rel=1e-3)
        assert body.bounds[0].min() >= -1e-4
        assert body.bounds[0][2] == pytest.approx(0, abs=1e-3)
        assert max(body.bounds[1][:2]) <= plates.BED


@pytest.mark.parametrize("name", plates.PLATES)
def test_parts_on_a_plate_keep_their_distance(ring, name):
    """Parts on a plate keep the minimum distance in at least one direction, seen from above."""
    boxes = [mesh.bounds[:, :2] for _, mesh in plates.laid(plates.PLATES[name], ring.mesh)]

    for number, (low, high) in enumerate(boxes):
        for other_low, other_high in boxes[number + 1 :]:
            assert max(*(other_low - high), *(low - other_high)) >= plates.GAP - 1e-4


def test_what_does_not_fit_on_the_bed_is_refused(ring):
    """Parts that don't fit on the bed are refused with their names."""
    with pytest.raises(plates.PlateCrowded, match="ring, turret, jig"):
        plates.laid(("ring", "turret", "jig"), ring.mesh)


def test_a_3mf_file_is_a_package_that_leads_to_its_model():
    """A 3MF file's content types and relationships name exactly its parts."""
    told = threemf.package("a <b>", [("c & d", trimesh.creation.box())])
    package = ZipFile(BytesIO(told))

    assert package.namelist() == ["[Content_Types].xml", "_rels/.rels", MODEL]
    assert f'Target="/{MODEL}"' in package.read("_rels/.rels").decode()
    assert {re.search(r"\w+$", name)[0] for name in package.namelist()[1:]} <= set(
        re.findall(r'Extension="(\w+)"', package.read("[Content_Types].xml").decode())
    )
    assert model(told).find("m:metadata", CORE).text == "a <b>"


def test_the_same_parts_make_the_same_bytes(tmp_path):
    """The same part drawn and packed twice gives the same bytes, without times, names or random values."""
    made = []
    for folder in ("one", "two"):
        path = tmp_path / folder / "foot.stl"
        path.parent.mkdir()
        solids.drawn("foot", path, edge=8)
        made.append(threemf.package("foot", plates.laid(("foot",), {"foot": solids.mesh(path)})))

    assert made[0] == made[1]


def test_choices_have_names_that_a_folder_can_have():
    """Edge and bought parts are encoded in names that every file system accepts."""
    assert solids.named(8, {}) == "8mm"
    assert solids.named(10, {"sensor_board": "Adafruit 1334", "cable": 7}) == "10mm_adafruit-1334_cable-7"


@pytest.mark.long
def test_the_archive_holds_every_choice_and_the_sums_of_all():
    """The archive has both cube sizes, all choices, the licences, and correct checksums of all files."""
    whole = ZipFile(BytesIO(release.archive()))
    sums = dict(reversed(line.split("  ")) for line in whole.read("SHA256SUMS").decode().splitlines())
    names = set(whole.namelist())

    assert sums == {name: sha256(whole.read(name)).hexdigest() for name in names - {"SHA256SUMS"}}
    for edge in solids.EDGES:
        for settings in ({}, *solids.OTHERS):
            folder = solids.named(edge, settings)
            assert {f"{folder}/stl/{part}.stl" for part in solids.PARTS} <= names
            assert {f"{folder}/plates/{plate}.3mf" for plate in plates.PLATES} <= names
        assert f"{edge}mm_cable-7/stl/clamp.stl" in names
    assert whole.read("LICENSE-MIT.txt") == (HERE.parent / "LICENSE").read_bytes()
    assert (
        tomllib.loads((HERE.parent / "pyproject.toml").read_text())["project"]["version"]
        in whole.read("README.md").decode().splitlines()[0]
    )
