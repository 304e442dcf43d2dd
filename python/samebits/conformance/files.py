"""Bundles as files: a folder, a .zip or a .tar, read into memory and written so that the same content has the same
bytes everywhere."""

import io
import os
import stat
import struct
import tarfile
import tempfile
import zipfile
import zlib

from samebits._io import write_atomic
from samebits.exceptions import BundleError, InvalidInputError

# What reading a foreign archive may raise: damage, a password, a compression that is not there.
_UNREADABLE = (
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
    zipfile.BadZipFile,
    tarfile.TarError,
    struct.error,
    zlib.error,
)
_MOST_FILES = 20_000
_MOST_BYTES = 1 << 30


def check_path(path, where):
    """Refuse what is not a plain relative path with / between its parts."""
    parts = path.split("/") if isinstance(path, str) else []
    plain = parts and path.isascii() and path.isprintable() and not any(c in path for c in "\\:")
    if not plain or any(part in ("", ".", "..") for part in parts):
        raise BundleError(
            f"[conformance] {where} names the path {path!r}; need a relative path inside the bundle, "
            "with / between its parts and no '..'"
        )


def read(path):
    """All files of a folder, .zip or .tar.

    Returns
    -------
    dict of path with / to bytes

    Raises
    ------
    BundleError
        Nothing is there, it is no folder or archive, it holds links or paths that leave it, or it is too large.
    """
    path = os.fspath(path)
    kind = _archive_kind(path)
    try:
        if os.path.isdir(path):
            return _read_folder(path)
        if kind == ".zip":
            return _read_zip(path)
        if kind == ".tar":
            return _read_tar(path)
        if not os.path.exists(path):
            raise BundleError(f"[conformance] {path!r} does not exist; need a folder, a .zip or a .tar")
    except BundleError:
        raise
    except _UNREADABLE as error:
        raise BundleError(f"[conformance] cannot read {path!r}: {error}") from error
    raise BundleError(f"[conformance] {path!r} is no bundle; need a folder, a .zip or a .tar")


def write(path, files):
    """Write files as a new folder, or as a .zip or .tar whose bytes depend on the files alone.

    Raises
    ------
    InvalidInputError
        The folder exists and is not empty, or the place cannot be written.
    """
    path = os.fspath(path)
    kind = _archive_kind(path)
    if kind:
        write_atomic(path, archive_bytes(files, kind))
        return
    path = os.path.abspath(path)
    if os.path.lexists(path) and (not os.path.isdir(path) or os.listdir(path)):
        raise InvalidInputError(
            f"[conformance] {path!r} exists and is not an empty folder; choose a new place, nothing was changed"
        )
    try:
        with tempfile.TemporaryDirectory(prefix=".samebits-", dir=os.path.dirname(path)) as temporary:
            whole = os.path.join(temporary, "bundle")
            for name, data in files.items():
                target = os.path.join(whole, *name.split("/"))
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(target, "wb") as file:
                    file.write(data)
            os.replace(whole, path)  # the folder appears whole or not at all
    except OSError as error:
        raise InvalidInputError(
            f"[conformance] cannot write {path!r}: {error.strerror or error}; choose a folder that exists"
        ) from error


def archive_bytes(files, kind):
    """The bytes of a '.zip' or '.tar' of these files; they depend on the files alone."""
    return _zip_bytes(files) if kind == ".zip" else _tar_bytes(files)


def _archive_kind(path):
    kind = os.path.splitext(path)[1].lower()
    return kind if kind in (".zip", ".tar") else None


def _check_amount(path, count, size):
    if count > _MOST_FILES or size > _MOST_BYTES:
        raise BundleError(
            f"[conformance] {path!r} has {count:,} files and {size:,} bytes; "
            f"a bundle has at most {_MOST_FILES:,} and {_MOST_BYTES:,}"
        )


def _read_folder(root):
    found, size = {}, 0
    for folder, folders, names in os.walk(root):
        for name in [*folders, *names]:
            full = os.path.join(folder, name)
            relative = os.path.relpath(full, root).replace(os.sep, "/")
            status = os.lstat(full)
            if stat.S_ISDIR(status.st_mode):
                continue
            if not stat.S_ISREG(status.st_mode):
                raise BundleError(
                    f"[conformance] {relative!r} of {root!r} is a link or a device; need plain files"
                )
            check_path(relative, f"the folder {root!r}")
            size += status.st_size
            _check_amount(root, len(found) + 1, size)
            with open(full, "rb") as file:
                found[relative] = file.read()
    return found


def _add(found, name, data, path):
    check_path(name, f"the archive {path!r}")
    if name in found:
        raise BundleError(f"[conformance] {path!r} holds {name!r} twice")
    found[name] = data


def _read_zip(path):
    found = {}
    with zipfile.ZipFile(path) as archive:
        members = [member for member in archive.infolist() if not member.filename.endswith("/")]
        _check_amount(path, len(members), sum(member.file_size for member in members))
        for member in members:
            check_path(member.filename, f"the archive {path!r}")
            _add(found, member.filename, archive.read(member), path)
    return found


def _read_tar(path):
    found = {}
    with tarfile.open(path, "r:") as archive:
        size = 0
        for count, member in enumerate(archive, 1):
            size += member.size
            _check_amount(path, count, size)
            if member.isdir():
                continue
            if not member.isreg():
                raise BundleError(
                    f"[conformance] {member.name!r} of {path!r} is a link or a device; need plain files"
                )
            check_path(member.name, f"the archive {path!r}")
            _add(found, member.name, archive.extractfile(member).read(), path)
    return found


def _zip_bytes(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:  # compressors differ between versions
        for name in sorted(files):
            member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            member.create_system, member.external_attr = 3, 0o100644 << 16
            archive.writestr(member, files[name])
    return out.getvalue()


def _tar_bytes(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(files[name]), 0o644
            archive.addfile(member, io.BytesIO(files[name]))
    return out.getvalue()
