"""Code objects of AMD GPUs: found in a plugin, their kernels' descriptors, metadata and symbols."""

import re
import struct
import subprocess

_ELF_OF_AMD = b"\x7fELF\x02\x01\x01\x40"  # 64 bits, little-endian, HSA
_MACHINE = 224  # EM_AMDGPU
# Bits of the kernel descriptor's first resource register (LLVM's user guide for AMDGPU).
_MODE_FIELDS = {"round_32": 12, "round_16_64": 14, "denorm_32": 16, "denorm_16_64": 18}


def carried(plugin):
    """The code objects inside the bytes of a library."""
    found, at = [], plugin.find(_ELF_OF_AMD)
    while at >= 0:
        machine = struct.unpack_from("<H", plugin, at + 18)[0]
        sections = struct.unpack_from("<Q", plugin, at + 40)[0]
        size, count = struct.unpack_from("<HH", plugin, at + 58)
        if machine == _MACHINE:
            found.append(plugin[at : at + sections + size * count])
        at = plugin.find(_ELF_OF_AMD, at + 1)
    return found


class Elf:
    """Sections and symbols of a code object."""

    def __init__(self, data):
        self.data = data
        table = struct.unpack_from("<Q", data, 40)[0]
        size, count = struct.unpack_from("<HH", data, 58)
        # name, type, flags, address, offset, size, link, info, alignment, entry size
        self.sections = [struct.unpack_from("<IIQQQQIIQQ", data, table + i * size) for i in range(count)]

    def symbols(self):
        """(name, kind, section, address, size); kind 1 is an object, 2 a function, section 0 means undefined."""
        for section in self.sections:
            if section[1] != 2:
                continue
            names = self.sections[section[6]][4]
            for at in range(section[4] + 24, section[4] + section[5], 24):
                name, info, _, where, address, size = struct.unpack_from("<IBBHQQ", self.data, at)
                end = self.data.index(b"\0", names + name)
                yield self.data[names + name : end].decode(), info & 15, where, address, size

    def bytes_at(self, section, address, size):
        at = self.sections[section][4] + address - self.sections[section][3]
        return self.data[at : at + size]


def modes(elf):
    """{kernel: {"round_32": 0, "denorm_32": 3, ...}} from the descriptors."""
    found = {}
    for name, kind, section, address, size in elf.symbols():
        if kind == 1 and name.endswith(".kd") and size == 64:
            register = struct.unpack_from("<I", elf.bytes_at(section, address, size), 48)[0]
            found[name[:-3]] = {field: register >> bit & 3 for field, bit in _MODE_FIELDS.items()}
    return found


def metadata(readelf, path):
    """{kernel: {"group_segment_fixed_size": 1024, ...}} and the target, from the note."""
    text = subprocess.run([readelf, "--notes", path], capture_output=True, text=True, check=True).stdout
    target = re.search(r"^amdhsa\.target:\s+'?(\S+?)'?$", text, re.MULTILINE).group(1)
    kernels, fields = {}, {}
    # A kernel's own fields are indented by four columns, and the first of them by a dash; its arguments by more.
    for line in text.splitlines():
        match = re.match(r"( {4}|  - )\.(\w+):\s*(\S*)", line)
        if not match:
            continue
        if match.group(1) == "  - ":
            fields = {}
        fields[match.group(2)] = int(match.group(3)) if match.group(3).isdigit() else match.group(3)
        if match.group(2) == "name":
            kernels[fields["name"]] = fields
    return kernels, target.removeprefix("amdgcn-amd-amdhsa--")
