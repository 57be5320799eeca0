"""No photograph that trained is one that is measured on."""

import json

import cv2
import numpy as np
import pytest

from models.evaluate.dice_truth import APART
from models.evaluate.leaks import difference_hash, near_duplicates, photos, same_content


@pytest.mark.real
def test_no_training_photograph_is_measured_on(real_pictures):
    trained, measured = photos(real_pictures, "train"), photos(real_pictures, "dev")
    assert len(trained) > 500
    assert len(measured) > 300
    assert same_content(trained, measured) == ()


@pytest.mark.real
def test_sources_apart_have_neither_copies_nor_near_ones(real_pictures):
    trained, measured = photos(real_pictures, "train"), photos(real_pictures, "dev")
    assert not [photo for photo in trained if photo.source.partition("/")[0] in APART]
    near = near_duplicates(trained, measured)
    apart = [b.path.name for _, b in near if b.source.partition("/")[0] in APART]
    assert apart == []
    print(f"{len(near)} measured photographs have a near duplicate among those that trained")


def test_a_planted_copy_is_found(tmp_path):
    rng = np.random.default_rng(4)
    picture = cv2.resize(rng.integers(0, 256, (12, 12, 3), np.uint8), (320, 240))
    other = cv2.resize(rng.integers(0, 256, (12, 12, 3), np.uint8), (320, 240))
    small = cv2.resize(picture, (160, 120), interpolation=cv2.INTER_AREA)
    _put(tmp_path, "train", {"a.png": picture})
    _put(tmp_path, "dev", {"copy.png": picture, "small.png": small, "other.png": other})
    trained, measured = photos(tmp_path, "train"), photos(tmp_path, "dev")
    assert [b.path.name for _, b in same_content(trained, measured)] == ["copy.png"]
    near = {b.path.name for _, b in near_duplicates(trained, measured)}
    assert near == {"copy.png", "small.png"}


def test_a_hash_is_that_of_the_picture_not_of_its_light():
    rng = np.random.default_rng(5)
    picture = cv2.resize(rng.integers(40, 200, (12, 12, 3), np.uint8), (320, 240))
    darker = (picture * 0.6).astype(np.uint8)
    assert (difference_hash(picture) != difference_hash(darker)).sum() <= 8
    assert (difference_hash(picture) != difference_hash(picture[:, ::-1])).sum() > 60


def _put(root, split, pictures):
    folder = root / "dice" / split
    folder.mkdir(parents=True)
    rows = [{"file": name, "source_repo": "some/one"} for name in pictures]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "labels.jsonl").write_text(lines, encoding="utf-8")
    for name, picture in pictures.items():
        cv2.imwrite(str(folder / name), picture)
