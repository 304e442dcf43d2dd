"""Files: written to a temporary name in the same folder, then renamed; nothing is ever left half-written."""

import errno
import json
import os
import tempfile

from samebits.exceptions import InvalidInputError


def canonical_json(value):
    """The one text of a JSON value: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def write_atomic(path, data):
    """Write bytes to ``path``; on any failure the old file, if any, is untouched.

    Raises
    ------
    InvalidInputError
        The folder does not exist or cannot be written; names the path and the reason.
    """
    path = os.path.realpath(os.fspath(path))  # a link stays a link
    folder = os.path.dirname(os.path.abspath(path))
    temporary = None
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise OSError(errno.EINVAL, "it is a folder or a device, not a file")
        handle, temporary = tempfile.mkstemp(prefix=".samebits-", dir=folder)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
        temporary = None
    except OSError as error:
        raise InvalidInputError(
            f"[write] cannot write {path!r}: {error.strerror or error}; choose a folder that exists and is writable"
        ) from error
    finally:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
