"""What can go wrong on the way from a file or camera to a reading.

    VisionError
    ├── PictureError     this picture cannot be read; the others of the command can
    ├── WeightsMissing   a network, or the list of them, is not where it should be
    ├── WeightsAltered   a network is there but is not the one that was measured
    ├── SourceError      a camera, stream or recording cannot be opened
    └── CameraLost       the camera stopped giving pictures

No board, a hand in view or a dark picture are not here: they are values, see
`vision.observation.Refusal`.
"""


class VisionError(Exception):
    """Base of all errors of ``vision``: one line for the user, in two languages.

    Args:
        reason_en: what, where and what to do, in English; also the text of the exception.
        reason_fr: the same in French.
    """

    def __init__(self, reason_en: str, reason_fr: str) -> None:
        super().__init__(reason_en)
        self.reason_en = reason_en
        self.reason_fr = reason_fr


class PictureError(VisionError):
    """A file is missing, is not a picture, or is a picture beyond our limits.

    Args:
        name: the file; the text of the exception begins with it, the reasons do not, so that a
            list of files and their errors names each once.
        reason_en: what is wrong and what to do, in English.
        reason_fr: the same in French.
    """

    def __init__(self, name: str, reason_en: str, reason_fr: str) -> None:
        super().__init__(reason_en, reason_fr)
        self.name = name

    def __str__(self) -> str:
        return f"{self.name}: {self.reason_en}"


class WeightsMissing(VisionError):  # noqa: N818 - a state of the installation, named as users say it
    """The manifest, its entry, or the file it names is not there."""


class WeightsAltered(VisionError):  # noqa: N818 - see WeightsMissing
    """Size or checksum of a weights file differ from the manifest, or it does not load."""


class SourceError(VisionError):
    """There is no such camera, stream, file or folder, it is busy, or it gives no pictures."""


class CameraLost(VisionError):  # noqa: N818 - see WeightsMissing
    """A camera that was open gives no more pictures."""
