"""Prints what the train environment installs: all of pyproject.toml but the headless OpenCV.

ultralytics brings opencv-python, whose files are those of opencv-python-headless: an environment
with both loses `cv2` when either is removed (docs/decisions/0002).
"""

import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
extras = project["optional-dependencies"]
lines = project["dependencies"] + extras["train"] + extras["render"] + extras["dev"]
print("\n".join(line for line in lines if not line.startswith("opencv-python-headless")))
