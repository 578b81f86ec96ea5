"""Writes meshes as one 3MF file (3MF core specification 1.3); the same meshes give the same bytes."""

from collections.abc import Iterable
from io import BytesIO
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import trimesh

LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest date that a zip file can store
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
CORE = "http://schemas.microsoft.com/3dmanufacturing"
TYPES = f"""{HEAD}<Types xmlns="{PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>
</Types>
"""
RELATIONS = f"""{HEAD}<Relationships xmlns="{PACKAGE}/relationships">
<Relationship Id="model" Type="{CORE}/2013/01/3dmodel" Target="/3D/3dmodel.model"/>
</Relationships>
"""


def package(title: str, bodies: Iterable[tuple[str, trimesh.Trimesh]]) -> bytes:
    """Return *bodies*, pairs of name and mesh, as a 3MF file; the meshes' coordinates are their places."""
    return zipped({"[Content_Types].xml": TYPES, "_rels/.rels": RELATIONS, "3D/3dmodel.model": model(title, bodies)})


def zipped(files: dict[str, str | bytes]) -> bytes:
    """Return *files* by path as a zip file, with a fixed date and system so that the bytes are reproducible."""
    kept = BytesIO()
    with ZipFile(kept, "w", ZIP_DEFLATED) as whole:
        for path, content in files.items():
            about = ZipInfo(path, LONG_AGO)
            about.compress_type, about.create_system, about.external_attr = ZIP_DEFLATED, 3, 0o644 << 16
            whole.writestr(about, content)
    return kept.getvalue()


def model(title: str, bodies: Iterable[tuple[str, trimesh.Trimesh]]) -> str:
    """Return the model part of the file: one object per body, in millimetres."""
    objects, items = [], []
    for number, (name, mesh) in enumerate(bodies, 1):
        objects.append(_object(number, name, mesh))
        items.append(f'<item objectid="{number}"/>\n')
    return (
        f'{HEAD}<model unit="millimeter" xml:lang="en" xmlns="{CORE}/core/2015/02">\n'
        f'<metadata name="Title">{escape(title)}</metadata>\n'
        f"<resources>\n{''.join(objects)}</resources>\n<build>\n{''.join(items)}</build>\n</model>\n"
    )


def _object(number: int, name: str, mesh: trimesh.Trimesh) -> str:
    corners = "".join(f'<vertex x="{x:.5f}" y="{y:.5f}" z="{z:.5f}"/>\n' for x, y, z in mesh.vertices.tolist())
    faces = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>\n' for a, b, c in mesh.faces.tolist())
    return (
        f'<object id="{number}" type="model" name={quoteattr(name)}>\n<mesh>\n'
        f"<vertices>\n{corners}</vertices>\n<triangles>\n{faces}</triangles>\n</mesh>\n</object>\n"
    )
