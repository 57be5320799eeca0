"""Every kind of file people hand in: decoded upright, or refused in one line."""

import io
import os
import random
import struct
import threading
import time
import warnings
import zlib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from vision.errors import PictureError
from vision.pictures import Picture, decode_picture, exif_orientation, load_picture

# One colour a quarter, so that every turn and mirror shows: top left, top right, bottom left,
# bottom right, as RGB.
QUARTERS = ((200, 30, 30), (30, 180, 40), (40, 60, 200), (210, 200, 40))
JPEG_STEP = 12  # grey levels a strong JPEG may be off in the middle of a plain patch


def scene(width: int = 96, height: int = 64) -> Image.Image:
    image = Image.new("RGB", (width, height))
    for index, colour in enumerate(QUARTERS):
        row, column = divmod(index, 2)
        patch = Image.new("RGB", (width // 2, height // 2), colour)
        image.paste(patch, (column * (width // 2), row * (height // 2)))
    return image


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def quarters_rgb(picture: Picture) -> list[tuple[int, int, int]]:
    height, width, _ = picture.image_bgr.shape
    found = []
    for index in range(4):
        row, column = divmod(index, 2)
        blue, green, red = picture.image_bgr[
            height // 4 + row * height // 2, width // 4 + column * width // 2
        ]
        found.append((int(red), int(green), int(blue)))
    return found


def assert_same_scene(picture: Picture, tolerance: int = JPEG_STEP) -> None:
    assert np.abs(np.array(quarters_rgb(picture)) - QUARTERS).max() <= tolerance


def noisy(width: int, height: int) -> NDArray[np.uint8]:
    return np.random.default_rng(7).integers(0, 256, (height, width, 3), np.uint8)


def png_claiming(width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    start = b"\x89PNG\r\n\x1a\n"
    return start + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def exif_block(orientation: int, order: str = "<", kind: int = 3) -> bytes:
    mark = b"II*\x00" if order == "<" else b"MM\x00*"
    value = struct.pack(order + ("HH" if kind == 3 else "I"), *((orientation, 0)[: 5 - kind]))
    entry = struct.pack(order + "HHI", 0x0112, kind, 1) + value
    return (
        b"Exif\x00\x00"
        + mark
        + struct.pack(order + "IH", 8, 1)
        + entry
        + struct.pack(order + "I", 0)
    )


@pytest.mark.parametrize(
    ("kind", "options", "tolerance"),
    [
        ("JPEG", {"quality": 90}, JPEG_STEP),
        ("JPEG", {"quality": 90, "progressive": True}, JPEG_STEP),
        ("PNG", {}, 0),
        ("WEBP", {"quality": 90}, JPEG_STEP),
        ("WEBP", {"lossless": True}, 0),
        ("HEIF", {"quality": 90}, JPEG_STEP),
        ("GIF", {}, JPEG_STEP),
    ],
)
def test_common_formats(kind: str, options: dict[str, object], tolerance: int) -> None:
    picture = decode_picture(encoded(scene(), kind, **options), "table")
    assert picture.image_bgr.shape == (64, 96, 3)
    assert picture.image_bgr.dtype == np.uint8
    assert picture.original_size_px == (96, 64)
    assert picture.scale == 1
    assert_same_scene(picture, tolerance)


def test_pixels_cannot_be_changed() -> None:
    picture = decode_picture(encoded(scene(), "PNG"), "table.png")
    assert not picture.image_bgr.flags.writeable
    with pytest.raises(ValueError, match="WRITEABLE"):
        picture.image_bgr.flags.writeable = True


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_all_orientations_give_one_picture(orientation: int, kind: str) -> None:
    turned = {
        1: None,
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }[orientation]
    stored = scene() if turned is None else scene().transpose(turned)
    picture = decode_picture(encoded(stored, kind, exif=exif_block(orientation)), "table")
    assert picture.original_size_px == (96, 64)
    assert_same_scene(picture)


def test_turned_heic_is_turned_once() -> None:
    stored = scene().transpose(Image.Transpose.ROTATE_90)
    picture = decode_picture(encoded(stored, "HEIF", quality=90, exif=exif_block(6)), "table.heic")
    assert picture.original_size_px == (96, 64)
    assert_same_scene(picture)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("kind", [3, 4])
def test_orientation_in_either_byte_order_and_length(order: str, kind: int) -> None:
    assert exif_orientation(exif_block(6, order, kind)) == 6


@pytest.mark.parametrize(
    "block", [b"", b"Exif\x00\x00", b"Exif\x00\x00II*\x00", exif_block(6)[:22], exif_block(77)]
)
def test_damaged_orientation_means_upright(block: bytes) -> None:
    assert exif_orientation(block) == 1


def test_damaged_exif_says_nothing_and_shows_the_picture(capfd: pytest.CaptureFixture[str]) -> None:
    broken = exif_block(1)[:-9] + b"\xff" * 40
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        picture = decode_picture(encoded(scene(), "JPEG", exif=broken), "table.jpg")
    assert_same_scene(picture)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("size", "scale"),
    [
        ((3199, 40), 1),
        ((3200, 40), 1 / 2),
        ((6399, 40), 1 / 4),
        ((40, 6300), 1 / 2),
        ((12800, 40), 1 / 8),
    ],
)
@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_longer_side_is_halved_to_the_working_size(
    size: tuple[int, int], scale: float, kind: str
) -> None:
    picture = decode_picture(encoded(scene(*size), kind), "table")
    longer = max(picture.image_bgr.shape)
    assert 1600 <= longer < 3200
    assert picture.scale == pytest.approx(scale, abs=1e-3)
    assert picture.original_size_px == size
    assert_same_scene(picture, 40)  # 40 px on the short side: the chroma of a JPEG bleeds


def test_thinnest_possible_jpeg() -> None:
    picture = decode_picture(encoded(Image.new("RGB", (1, 60000)), "JPEG"), "line.jpg")
    assert picture.original_size_px == (1, 60000)


def test_one_pixel() -> None:
    picture = decode_picture(encoded(Image.new("RGB", (1, 1), (1, 2, 3)), "PNG"), "dot.png")
    assert picture.image_bgr.tolist() == [[[3, 2, 1]]]


def test_16_bit_grey_png() -> None:
    levels = np.linspace(0, 65535, 256, dtype=np.uint16).reshape(1, 256)
    picture = decode_picture(encoded(Image.fromarray(levels), "PNG"), "scan.png")
    assert picture.image_bgr[0, :, 0].tolist() == (levels[0] >> 8).tolist()
    assert (picture.image_bgr[..., 0] == picture.image_bgr[..., 2]).all()


def test_grey_png() -> None:
    picture = decode_picture(encoded(Image.new("L", (8, 8), 77), "PNG"), "grey.png")
    assert (picture.image_bgr == 77).all()


def test_one_bit_png() -> None:
    picture = decode_picture(encoded(Image.new("1", (8, 8), 1), "PNG"), "fax.png")
    assert (picture.image_bgr == 255).all()


@pytest.mark.parametrize("marked", [True, False])
def test_cmyk_jpeg(marked: bool) -> None:
    """With Adobe's mark inks are stored turned over, without it as they are."""
    data = encoded(scene().convert("CMYK"), "JPEG", quality=95)
    at = data.index(b"\xff\xee")
    if not marked:
        length = struct.unpack(">H", data[at + 2 : at + 4])[0]
        data = data[:at] + data[at + 2 + length :]
    picture = decode_picture(data, "print.jpg")
    if marked:
        assert_same_scene(picture)
    else:
        # The same bytes, taken as plain inks: cyan 255 - c and so on, black 255 - 0.
        assert max(max(colour) for colour in quarters_rgb(picture)) <= JPEG_STEP


def test_transparent_parts_are_white() -> None:
    layer = scene().convert("RGBA")
    layer.paste((0, 0, 0, 0), (0, 0, 48, 32))
    picture = decode_picture(encoded(layer, "PNG"), "cut.png")
    assert quarters_rgb(picture) == [(255, 255, 255), *QUARTERS[1:]]


def test_palette_with_transparency() -> None:
    image = scene().convert("P", palette=Image.Palette.ADAPTIVE, colors=4)
    clear = image.getpixel((5, 5))
    picture = decode_picture(encoded(image, "PNG", transparency=clear), "icon.png")
    assert quarters_rgb(picture)[0] == (255, 255, 255)
    assert quarters_rgb(picture)[3] == QUARTERS[3]


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
def test_first_frame_of_an_animation(kind: str) -> None:
    black = Image.new("RGB", scene().size)
    options = {"lossless": True} if kind == "WEBP" else {}
    data = encoded(scene(), kind, save_all=True, append_images=[black, black], **options)
    assert getattr(Image.open(io.BytesIO(data)), "n_frames", 1) > 1
    assert_same_scene(decode_picture(data, "moving"))


def test_two_pictures_in_one_jpeg() -> None:
    """Telephones append a second exposure or a depth map (MPO)."""
    black = Image.new("RGB", (96, 64))
    data = encoded(scene(), "MPO", save_all=True, append_images=[black], quality=90)
    assert_same_scene(decode_picture(data, "phone.jpg"))


def test_heic_named_jpg(tmp_path: Path) -> None:
    path = tmp_path / "IMG_0001.jpg"
    path.write_bytes(encoded(scene(), "HEIF", quality=90))
    picture = load_picture(path)
    assert picture.path == path
    assert_same_scene(picture)


BAD_BYTES = {
    "zero bytes": (b"", "empty"),
    "text": (b"My holiday, by me.\n" * 30, "not a picture"),
    "one byte": (b"\xff", "not a picture"),
    "a document": (b"%PDF-1.7\n" + bytes(2000), "not a picture"),
    "100 megapixels": (
        png_claiming(10_000, 10_000),
        "100.0 megapixels (10000 × 10000), at most 80",
    ),
    "just over": (png_claiming(10_001, 8_000), "80.0 megapixels (10001 × 8000), at most 80"),
    "a terapixel": (png_claiming(1_000_000, 1_000_000), "megapixels"),
    "no data": (png_claiming(8, 8), "damaged"),
    "jpeg cut in its header": (encoded(scene(), "JPEG")[:40], "not a picture"),
}


@pytest.mark.parametrize("case", BAD_BYTES)
def test_bad_bytes_are_refused_in_one_line(case: str, capfd: pytest.CaptureFixture[str]) -> None:
    data, expected = BAD_BYTES[case]
    with pytest.raises(PictureError) as caught:
        decode_picture(data, "table.jpg")
    assert expected in caught.value.reason_en
    assert_one_clear_line(caught.value, "table.jpg")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF"])
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_cut_off_file_is_refused(kind: str, share: float) -> None:
    data = encoded(Image.fromarray(noisy(320, 240)), kind)
    with pytest.raises(PictureError) as caught:
        decode_picture(data[: int(len(data) * share)], "half")
    assert_one_clear_line(caught.value, "half")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF", "GIF"])
def test_damage_anywhere_is_shown_or_refused(kind: str) -> None:
    """Whatever happens to a file on its way: a picture or our error, and no warning."""
    rng = random.Random(9)
    whole = encoded(scene(), kind)
    for _ in range(80):
        data = bytearray(whole)
        for _ in range(rng.choice((1, 1, 3, 12))):
            data[rng.randrange(rng.choice((64, len(data))))] = rng.randrange(256)
        try:
            picture = decode_picture(bytes(data), "table")
        except PictureError as error:
            assert_one_clear_line(error, "table")
        else:
            assert picture.image_bgr.ndim == 3


def test_missing_folder_and_odd_names(tmp_path: Path) -> None:
    for path, expected in (
        (tmp_path / "none.jpg", "no such file"),
        (tmp_path, "folder"),
        (tmp_path / "a\x00b.jpg", "cannot be opened"),
        (tmp_path / ("x" * 300), "cannot be opened"),
        (tmp_path / "two\nlines.jpg", "no such file"),
    ):
        with pytest.raises(PictureError, match=expected) as caught:
            load_picture(path)
        assert_one_clear_line(caught.value, tmp_path.parent.name)


def test_device_is_refused() -> None:
    with pytest.raises(PictureError, match="not a file") as caught:
        load_picture(Path(os.devnull))
    assert_one_clear_line(caught.value, os.devnull)


def assert_one_clear_line(error: PictureError, name: str) -> None:
    for line in (error.reason_en, error.reason_fr):
        assert line.isprintable()
        assert ";" in line  # what is wrong; what to do
    assert error.reason_en != error.reason_fr
    assert str(error).isprintable()
    assert name in error.name
    assert str(error) == f"{error.name}: {error.reason_en}"


def test_threads_keep_warnings_as_they_were() -> None:
    data = encoded(scene(), "JPEG", exif=exif_block(6))
    before = list(warnings.filters)
    threads = [
        threading.Thread(target=lambda: [decode_picture(data, "t") for _ in range(20)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert warnings.filters == before


def test_large_noisy_jpeg_is_quick() -> None:
    """A telephone's picture, 12 megapixels and over 3 MB; 150 ms is the budget of reading it."""
    rng = np.random.default_rng(3)
    tone = np.asarray(scene(4000, 3000), np.int16)
    grain = rng.integers(-14, 15, (3000, 4000, 1), np.int16)
    data = encoded(
        Image.fromarray((tone + grain).clip(0, 255).astype(np.uint8)), "JPEG", quality=95
    )
    assert len(data) >= 3_000_000
    times = []
    for _ in range(5):
        start = time.perf_counter()
        picture = decode_picture(data, "phone.jpg")
        times.append(time.perf_counter() - start)
    assert picture.image_bgr.shape == (1500, 2000, 3)
    assert min(times) < 0.150, times
