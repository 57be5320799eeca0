"""Paints tiles that lie on a board or table: walls, faces, shadows, and who is seen where.

Tiles of one height that lie flat hide each other's walls but never each other's faces, so all
walls are painted before all faces; tilted and stacked ones follow, far to near.
"""

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.camera import Camera, Points
from models.compose.light import Light
from models.compose.paint import Image, blend, polygon_mask, window
from models.render.dice.lighting import Lighting
from models.render.tiles.face import Face, FaceMaker
from models.render.tiles.look import TileLook

FRESNEL: Final = 0.04
"""Reflectance of plastic and varnish seen straight on (refractive index 1.5), Schlick's formula."""
SIZES_PX: Final = (16, 24, 32, 48, 64, 96, 128)
"""Widths of face textures."""
SUPER: Final = 1.25
"""Texture px for each px of the picture: sharp, and hardly aliased at the tilts of the tiers."""
_SHADE_PX: Final = 4
"""Points along a face where mirrored light is looked up."""
_BITS: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class LaidTile:
    """One tile in space; lengths in cells.

    Attributes:
        look: its set.
        text: what it shows, "" for a face turned down.
        ink: (3,) linear BGR colour of the digit.
        middle: (3,) middle of its upper face.
        axes: (3, 3) rows: right and down as its digit stands, and out of its face.
        flat: it lies level on the board or table.
        tint: (3,) normal of tiny lean that decides what gloss mirrors, as offsets.
        name: of this very tile, where it must look the same in picture after picture, else "".
    """

    look: TileLook
    text: str
    ink: Image
    middle: Points
    axes: Points
    flat: bool
    tint: Points
    name: str = ""

    @property
    def half(self) -> Points:
        """(2,) half width and half height of its face."""
        return np.array([self.look.size / 2, self.look.size * self.look.aspect / 2])

    def corners(self, below: float = 0.0) -> Points:
        """(4, 3) corners as if sharp, clockwise from the digit's top left, a way below the face."""
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * self.half
        return np.asarray(square @ self.axes[:2] + self.middle - below * self.axes[2])

    def outline(self, below: float = 0.0) -> Points:
        """(8, 3) corners with the rounding cut straight."""
        cut = min(0.6 * self.look.rounding, 0.3)
        x, y = self.half
        eight = np.array([[-x + cut, -y], [x - cut, -y], [x, -y + cut], [x, y - cut],
                          [x - cut, y], [-x + cut, y], [-x, y - cut], [-x, -y + cut]])  # fmt: skip
        return np.asarray(eight @ self.axes[:2] + self.middle - below * self.axes[2])


@dataclass(slots=True, eq=False)
class FaceStore:
    """Faces that were drawn, for pictures after the first.

    Attributes:
        rng: of everything drawn.
        makers: by set and width in px.
        faces: of tiles with a name, by it, their text and width in px.
    """

    rng: np.random.Generator
    makers: dict[tuple[int, int], FaceMaker] = field(default_factory=dict)
    faces: dict[tuple[str, str, int], Face] = field(default_factory=dict)

    def face(self, tile: LaidTile, width_px: int) -> Face:
        """The face of a tile at a width."""
        key = (tile.name, tile.text, width_px)
        if tile.name and key in self.faces:
            return self.faces[key]
        maker = self.makers.get((id(tile.look), width_px))
        if maker is None:
            maker = FaceMaker(self.rng, tile.look, width_px)
            self.makers[id(tile.look), width_px] = maker
        face = maker.make(tile.text, tile.ink)
        if tile.name:
            self.faces[key] = face
        return face


class TilePainter:
    """Paints all tiles of a scene on a canvas of linear light, in place."""

    def __init__(self, store: FaceStore, canvas: Image, camera: Camera, lighting: Lighting) -> None:
        """Paint nothing yet; ``owner`` (H, W) int16 tells the tile seen at each px, -1 none."""
        self.store, self.canvas, self.camera, self.lighting = store, canvas, camera, lighting
        self.owner = np.full(canvas.shape[:2], -1, np.int16)

    def paint(self, tiles: tuple[LaidTile, ...], floor: float) -> None:
        """Shadows on the plane at a height, then walls, then faces."""
        self._shadows(tiles, floor)
        flat = [index for index, tile in enumerate(tiles) if tile.flat]
        depth = {i: float((t.middle - self.camera.position) @ self.camera.axes[2])
                 for i, t in enumerate(tiles)}  # fmt: skip
        rest = [index for index, tile in enumerate(tiles) if not tile.flat]
        flat.sort(key=lambda index: -depth[index])
        rest.sort(key=lambda index: (tiles[index].middle[2], -depth[index]))
        for index in flat:
            self._walls(index, tiles[index])
        for index in flat:
            self._face(index, tiles[index])
        for index in rest:
            self._walls(index, tiles[index])
            self._face(index, tiles[index])

    # ------------------------------------------------------------------ shadows
    def _shadows(self, tiles: tuple[LaidTile, ...], floor: float) -> None:
        shape = self.canvas.shape[:2]
        for lamp in self.lighting.lamps:
            mask = np.zeros(shape, np.uint8)
            step = lamp.shadow_step()
            height = 0.1
            for tile in tiles:
                height = self._cast(mask, tile, step, floor)
            share = float(np.mean(lamp.sun * lamp.direction()[2] / self.lighting.level))
            self._darken(mask, lamp, height, min(share, 0.9))
        mask = np.zeros(shape, np.uint8)  # the sky is hidden close to every wall
        for tile in tiles:
            self._cast(mask, tile, np.zeros(2), floor)
        px = self._px(tiles[0]) if tiles else 20.0
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.6, 0.06 * px))
        self.canvas *= (1 - np.float32(0.35 / 255) * soft)[..., None]

    def _cast(self, mask: NDArray[np.uint8], tile: LaidTile, step: Points, floor: float) -> float:
        corners = np.vstack([tile.outline(), tile.outline(tile.look.height)])
        rise = np.maximum(corners[:, 2] - floor, 0)
        ground = np.column_stack([corners[:, :2] + rise[:, None] * step, np.full(16, floor)])
        points = self.camera.project(ground)
        if np.isfinite(points).all() and np.abs(points).max() < 30000:
            hull = cv2.convexHull(np.round(points * 16).astype(np.int32))
            cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, _BITS)
        return float(rise.max())

    def _darken(self, mask: NDArray[np.uint8], lamp: Light, height: float, share: float) -> None:
        scale = self.camera.focal_px / max(float(np.linalg.norm(self.camera.position)), 1e-6)
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.5, lamp.softness * height * scale))
        self.canvas *= (1 - np.float32(share / 255) * soft)[..., None]

    # ------------------------------------------------------------------ tiles
    def _px(self, tile: LaidTile) -> float:
        depth = float((tile.middle - self.camera.position) @ self.camera.axes[2])
        return self.camera.focal_px / max(depth, 1e-6)

    def _walls(self, index: int, tile: LaidTile) -> None:
        upper, lower = tile.outline(), tile.outline(tile.look.height)
        points = self.camera.project(np.vstack([upper, lower]))
        box = window(points, self.canvas.shape)
        if box is None or not np.isfinite(points).all():
            return
        x0, y0, x1, y1 = box
        hull = cv2.convexHull(points.astype(np.float32)).reshape(-1, 2).astype(np.float64)
        mask = polygon_mask((y1 - y0, x1 - x0), hull - (x0, y0) - 0.5)
        shade = 0.75 * tile.look.body
        blend(self.canvas, box, shade * self.lighting.level, mask)
        self.owner[y0:y1, x0:x1][mask > 0.5] = index
        if tile.look.height * self._px(tile) < 1.0:
            return
        out_ways = np.cross(np.roll(upper, -1, axis=0) - upper, tile.axes[2])
        out_ways /= np.maximum(np.linalg.norm(out_ways, axis=1, keepdims=True), 1e-9)
        facing = (out_ways * (self.camera.position - upper)).sum(axis=1) > 0
        for side in np.flatnonzero(facing):
            after, normal = (side + 1) % 8, out_ways[side]
            quad = points[[side, after, 8 + after, 8 + side]]
            part = polygon_mask((y1 - y0, x1 - x0), quad - (x0, y0) - 0.5)
            light = np.sum([lamp.on(normal) for lamp in self.lighting.lamps], axis=0)
            gloss = FRESNEL * tile.look.gloss * self.lighting.sky
            blend(self.canvas, box, (0.8 * tile.look.body * light + gloss).astype(np.float32), part)

    def _face(self, index: int, tile: LaidTile) -> None:
        quad = self.camera.project(tile.corners())
        box = window(quad, self.canvas.shape)
        if box is None or not np.isfinite(quad).all():
            return
        x0, y0, x1, y1 = box
        want = SUPER * self._px(tile) * tile.look.size
        width = next((size for size in SIZES_PX if size >= want), SIZES_PX[-1])
        face = self.store.face(tile, width)
        lit = self._lit(tile, face)
        height, width = face.opacity.shape
        # edge of texture px on the edges of the face; OpenCV counts from middles of px
        source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        local = (quad - (x0, y0) - 0.5).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(source, local)
        texture = np.dstack([lit, face.opacity])
        warped = cv2.warpPerspective(texture, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR,
                                     borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
        mask = polygon_mask((y1 - y0, x1 - x0), quad - (x0, y0) - 0.5) * warped[..., 3]
        blend(self.canvas, box, warped[..., :3], mask)
        self.owner[y0:y1, x0:x1][mask > 0.5] = index

    def _lit(self, tile: LaidTile, face: Face) -> Image:
        """Light on a face: what it scatters, and what its gloss mirrors."""
        level = np.zeros(3, np.float32)
        slope = np.zeros((2, 3), np.float32)  # change of light with the lean right and down
        normal = tile.axes[2]
        for lamp in self.lighting.lamps:
            level = level + lamp.on(normal)
            slope += (tile.axes[:2] @ lamp.direction())[:, None] * lamp.sun
        lean = face.lean
        light = level + lean[..., :1] * slope[0] + lean[..., 1:] * slope[1]
        lit = face.albedo * np.maximum(light, 0.1 * level)
        if tile.look.gloss > 0.02:
            shape = face.opacity.shape
            mirrored = self._mirrored(tile, lean, shape)
            lit = lit + mirrored * (tile.look.gloss * face.polish)[..., None]
        return np.asarray(lit, np.float32)

    def _mirrored(self, tile: LaidTile, lean: Image, shape: tuple[int, int]) -> Image:
        """(h, w, 3) light that a perfectly polished face would mirror."""
        steps = (np.arange(_SHADE_PX) + 0.5) / _SHADE_PX * 2 - 1
        x, y = np.meshgrid(steps * tile.half[0], steps * tile.half[1])
        spots = np.stack([x, y], axis=2).reshape(-1, 2) @ tile.axes[:2] + tile.middle
        view = spots - self.camera.position
        view /= np.linalg.norm(view, axis=1, keepdims=True)
        normals = (
            tile.axes[2]
            + tile.tint
            + 0.02 * np.column_stack([x.ravel(), y.ravel()]) @ (tile.axes[:2])
        )  # faces bulge a little
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        flat = self._reflect(view, normals).reshape(_SHADE_PX, _SHADE_PX, 3)
        height, width = shape
        out = cv2.resize(flat, (width, height), interpolation=cv2.INTER_LINEAR)
        if np.abs(lean).max() > 0.1:
            ways = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]], np.float64)
            sides = tile.axes[2] + ways @ tile.axes[:2]
            sides /= np.linalg.norm(sides, axis=1, keepdims=True)
            bright = self._reflect(np.repeat(view[:1], 4, axis=0), sides)
            for axis in range(2):
                for sign in range(2):
                    part = np.clip(lean[..., axis] * (1 - 2 * sign) * 1.4, 0, 1)[..., None]
                    out = out + part * (bright[2 * axis + sign] - out)
        return np.asarray(out, np.float32)

    def _reflect(self, view: Points, normals: Points) -> Image:
        cosine = -(view * normals).sum(axis=1, keepdims=True)
        ways = view + 2 * cosine * normals
        strength = FRESNEL + (1 - FRESNEL) * (1 - np.clip(cosine, 0, 1)) ** 5
        light = self.lighting.mirrored(ways.astype(np.float32))
        return np.asarray(light * strength, np.float32)
