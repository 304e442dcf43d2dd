"""Errors of samebits. Texts say what was asked, what was found and what to do."""

__all__ = [
    "BundleError",
    "DeviceError",
    "DeviceUnavailableError",
    "InvalidInputError",
    "ModelFormatError",
    "OutOfMemoryError",
    "SamebitsError",
]


class SamebitsError(Exception):
    """Base class of every error that samebits raises itself."""


class InvalidInputError(SamebitsError, ValueError):
    """Data or a parameter breaks a rule."""


class ModelFormatError(SamebitsError, ValueError):
    """A model or card file is truncated, foreign, malformed or from a newer version."""


class BundleError(SamebitsError, ValueError):
    """A conformance bundle is incomplete, changed, malformed or of another format; names the file."""


class DeviceUnavailableError(SamebitsError, RuntimeError):
    """A device, backend or capability that was asked for cannot be had."""


class DeviceError(SamebitsError, RuntimeError):
    """A device's driver reported a failure."""


class OutOfMemoryError(SamebitsError, MemoryError):
    """Host or device memory ran out."""
