"""Settings that keep ultralytics on this machine and on all its cores.

Must be applied before ultralytics is imported; see docs/decisions on training.
"""

import json
import os
from pathlib import Path


def prepare(config_dir: Path, threads: int) -> None:
    """Set the environment of ultralytics: offline, own settings folder, number of threads.

    Args:
        config_dir: private folder for its settings; created.
        threads: cores to use; ultralytics would take one less than there are.
    """
    os.environ.update(
        YOLO_OFFLINE="1",
        YOLO_AUTOINSTALL="0",
        YOLO_VERBOSE="0",
        YOLO_CONFIG_DIR=str(config_dir),
        OMP_NUM_THREADS=str(threads),
    )
    folder = config_dir / "Ultralytics"
    folder.mkdir(parents=True, exist_ok=True)
    _keep_private(folder / "settings.json")
    _provide_font(folder / "Arial.ttf")
    import ultralytics.utils.torch_utils as torch_utils

    torch_utils.NUM_THREADS = threads


def _keep_private(settings: Path) -> None:
    known = json.loads(settings.read_text()) if settings.exists() else {}
    if known:  # an incomplete file would be thrown away; ultralytics writes it at the first import
        settings.write_text(json.dumps(known | {"sync": False}, indent=2))


def _provide_font(target: Path) -> None:
    """Any font in this place keeps ultralytics from looking for one on the network."""
    if target.exists():
        return
    import matplotlib

    font = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    target.write_bytes(font.read_bytes())
