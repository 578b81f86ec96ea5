"""`python -m hardware.drawing.board KICAD`: export the printed board for a manufacturer into build/pcb.

KiCad checks the project first. KICAD is the folder into which `hardware/kicad.sh` has installed KiCad.
Without it, the machine's own `kicad-cli` is used.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from hardware.drawing.board import kicad, netlist
from hardware.drawing.parts import parts

BUILD = Path(__file__).parents[3] / "build" / "pcb"
PROJECT = f"{kicad.NAME}.kicad_pcb"
LAYERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.SilkS,Edge.Cuts"
PAGE = ("--page-size-mode", "2")  # no larger than the board
CHECKS = {
    "circuit": ("sch", "erc", "--severity-all", "--exit-code-violations", "-o", "erc.rpt", f"{kicad.NAME}.kicad_sch"),
    "board": ("pcb", "drc", "--schematic-parity", "--severity-all", "--exit-code-violations", "-o", "drc.rpt", PROJECT),
}
MADE = {
    "gerbers": ("pcb", "export", "gerbers", "--layers", LAYERS, "-o", "gerbers/", PROJECT),
    "drill": ("pcb", "export", "drill", "-o", "gerbers/", PROJECT),
    "positions": ("pcb", "export", "pos", "--format", "csv", "--units", "mm", "-o", "positions.csv", PROJECT),
    "picture": ("pcb", "export", "svg", "--mode-single", *PAGE, "--layers", LAYERS, "-o", "board.svg", PROJECT),
    "sheet": ("sch", "export", "pdf", "-o", "circuit.pdf", f"{kicad.NAME}.kicad_sch"),
}


def main(root: Path) -> int:
    """Write and check the project and export the manufacturer's files; return 1 if a command of KiCad fails."""
    shutil.rmtree(BUILD / kicad.NAME, ignore_errors=True)
    kicad.project(netlist.board(), parts(), BUILD / kicad.NAME)
    (BUILD / kicad.NAME / "gerbers").mkdir()
    for name, arguments in {**CHECKS, **MADE}.items():
        done = _kicad(root, arguments)
        if done.returncode:
            print(f"{name}: {done.stdout}{done.stderr}", file=sys.stderr)
            return 1
        told = [line for line in done.stdout.splitlines() if line.startswith("Found")] if name in CHECKS else []
        print(f"{name}: {'; '.join(told) or 'made'}")
    print(BUILD / kicad.NAME)
    return 0


def _kicad(root: Path, arguments: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Run kicad-cli in the project's folder: the one installed below *root*, otherwise this machine's."""
    folder = BUILD / kicad.NAME
    if not (root / "usr/bin/kicad-cli").exists():
        return subprocess.run(["kicad-cli", *arguments], cwd=folder, capture_output=True, text=True)
    inside = root / "tmp" / kicad.NAME
    shutil.rmtree(inside, ignore_errors=True)
    shutil.copytree(folder, inside)
    script = f'cd /tmp/{kicad.NAME} && HOME=/tmp exec kicad-cli "$@"'
    done = subprocess.run(["chroot", str(root), "sh", "-c", script, "sh", *arguments], capture_output=True, text=True)
    shutil.copytree(inside, folder, dirs_exist_ok=True)
    shutil.rmtree(inside)
    return done


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
