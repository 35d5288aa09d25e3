"""What went over the bus of a small panel, as the kernel traced it, judged: for Tests/lib/panels.sh.

    panel-trace.py whole|part FILE COMMANDS

FILE.whole and FILE.part are raw traces of spi_transfer_start. `whole` begins with the panel's first command, which must
be those in the file COMMANDS (`none`: an SSD1306, whose driver knows them). What was written into the panel's memory is
kept in FILE.memory, drawn as FILE.png, and compared with FILE-player.png. `part` goes on from there, and must have
written something, but less than all of it.
"""
import struct
import sys
import zlib


def transfers(raw):
    """The bytes of each transfer: the ring buffer's blocks, then its records, then the event's fields."""
    block = 256 * 1024
    for start in range(0, len(raw), block):
        place = start + 16
        end = place + (struct.unpack_from("<Q", raw, start + 8)[0] & 0xFFFFFF)
        while place + 4 <= end:
            word = struct.unpack_from("<I", raw, place)[0]
            kind, gap = word & 31, word >> 5
            if kind == 29:
                if gap == 0:
                    break
                place += 4 + struct.unpack_from("<I", raw, place + 4)[0]
            elif kind >= 30:
                place += 8
            else:
                size = struct.unpack_from("<I", raw, place + 4)[0] if kind == 0 else kind * 4 + 4
                body = place + (8 if kind == 0 else 4)
                yield transfer(raw, body)
                place += 4 + size if kind == 0 else size


def transfer(raw, body):
    """Its length is written in 16 bits beside where it lies, so the whole one is taken from the field `len`."""
    length, _, at = struct.unpack_from("<III", raw, body + 24)
    place = body + (at & 0xFFFF)
    return raw[place:place + length]


def fail(words):
    print(words)
    sys.exit(1)


def first_commands(path):
    """Of image/panels: a command and what belongs to it, without the pauses."""
    commands = []
    for line in open(path, encoding="utf-8"):
        words = line.split("#")[0].split()
        if words and words[0] != "wait":
            commands.append(bytes(int(word, 16) for word in words))
    return commands


class Coloured:
    """A memory of 16 bits a pixel, written through a window. The bus takes words, and so a pixel is one."""

    def __init__(self, path):
        self.path = path
        self.commands = first_commands(path)
        self.size = tuple(int(number) for number in path.rsplit("-", 1)[1].split("x"))
        self.memory = bytearray(2 * self.size[0] * self.size[1])

    def take(self, all_transfers, is_first):
        after = {command[0]: len(command) - 1 for command in self.commands}
        after.update({0x2A: 4, 0x2B: 4, 0x2C: None})
        told, columns, rows, written = [], (0, 0), (0, 0), 0
        queue = list(all_transfers)
        while queue:
            command = queue.pop(0)
            if len(command) != 1 or command[0] not in after:
                fail(f"  a command that is not known here: {command[:8].hex(' ')}")
            wanted = after[command[0]]
            values = queue.pop(0) if wanted is None or wanted > 0 else b""
            if wanted is not None and len(values) != wanted:
                fail(f"  command {command.hex()} with {len(values)} bytes, and not {wanted}")
            told.append(command + values[:8])
            if command[0] == 0x2A:
                columns = struct.unpack(">HH", values)
            elif command[0] == 0x2B:
                rows = struct.unpack(">HH", values)
            elif command[0] == 0x2C:
                width = columns[1] - columns[0] + 1
                if len(values) != 2 * width * (rows[1] - rows[0] + 1):
                    fail(f"  {len(values)} bytes for columns {columns} and rows {rows}")
                for number, row in enumerate(range(rows[0], rows[1] + 1)):
                    at = 2 * (row * self.size[0] + columns[0])
                    self.memory[at:at + 2 * width] = values[2 * number * width:2 * (number + 1) * width]
                written += len(values)
        if is_first:
            begun = told[:len(self.commands)]
            if begun != self.commands:
                fail(f"  first commands: {[one.hex(' ') for one in begun]}, and not those of {self.path}")
            print(f"  its first {len(begun)} commands are those of image/panels")
        return written

    def pixel(self, x, y):
        value = struct.unpack_from("<H", self.memory, 2 * (y * self.size[0] + x))[0]
        red, green, blue = value >> 11, value >> 5 & 63, value & 31
        return red * 255 // 31, green * 255 // 63, blue * 255 // 31

    # A step of five bits is 8; to spread what is between two steps over pixels takes one more.
    tolerance = 17


class OnAndOff:
    """An SSD1306: a byte is eight points, the lowest bit the highest point; columns and pages have a range each."""

    size = (128, 64)
    tolerance = 128
    arguments = {0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0x8D: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}

    def __init__(self):
        self.memory = bytearray(128 * 8)

    def take(self, all_transfers, is_first):
        columns, pages, written, command, values = (0, 127), (0, 7), 0, None, []
        hears, isOn = False, False
        for one in all_transfers:
            size = (columns[1] - columns[0] + 1) * (pages[1] - pages[0] + 1)
            if command is None and len(one) == size and size > 1:
                for number, byte in enumerate(one):
                    page, column = divmod(number, columns[1] - columns[0] + 1)
                    self.memory[(pages[0] + page) * 128 + columns[0] + column] = byte
                written += size
                continue
            if len(one) != 1:
                fail(f"  {len(one)} bytes for columns {columns} and pages {pages}")
            if command is None:
                command, values = one[0], []
            else:
                values.append(one[0])
            if len(values) < self.arguments.get(command, 0):
                continue
            if command == 0x21:
                columns = tuple(values)
            elif command == 0x22:
                pages = tuple(values)
            hears, isOn = hears or command == 0x8D, isOn or command == 0xAF
            command = None
        if is_first:
            if not (hears and isOn):
                fail("  its pump was not set, or it was not switched on")
            print("  it was switched on")
        return written

    def pixel(self, x, y):
        return (255 if self.memory[y // 8 * 128 + x] >> y % 8 & 1 else 0,) * 3


def read_png(path):
    """Eight bits a channel, not interlaced: what Layby writes."""
    data = open(path, "rb").read()
    place, packed, header = 8, b"", None
    while place < len(data):
        length, kind = struct.unpack_from(">I4s", data, place)
        if kind == b"IHDR":
            header = struct.unpack_from(">IIBBBBB", data, place + 8)
        elif kind == b"IDAT":
            packed += data[place + 8:place + 8 + length]
        place += 12 + length
    width, height, depth, colour = header[:4]
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
    if depth != 8:
        fail(f"{path} has {depth} bits a channel")
    raw, rows, stride = zlib.decompress(packed), [], width * channels
    before = bytearray(stride)
    for y in range(height):
        way, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            left = row[x - channels] if x >= channels else 0
            corner = before[x - channels] if x >= channels else 0
            if way == 1:
                row[x] = (row[x] + left) & 255
            elif way == 2:
                row[x] = (row[x] + before[x]) & 255
            elif way == 3:
                row[x] = (row[x] + (left + before[x]) // 2) & 255
            elif way == 4:
                near = left + before[x] - corner
                order = sorted(((abs(near - left), 0, left), (abs(near - before[x]), 1, before[x]), (abs(near - corner), 2, corner)))
                row[x] = (row[x] + order[0][2]) & 255
        rows.append(row)
        before = row
    colours = channels if channels >= 3 else 1
    return (width, height), lambda x, y: tuple(rows[y][x * channels:x * channels + colours]) * (3 if colours == 1 else 1)


def write_png(path, panel):
    width, height = panel.size
    rows = b"".join(b"\0" + bytes(value for x in range(width) for value in panel.pixel(x, y)) for y in range(height))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, data in ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")):
            file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))


def main():
    part, file, commands = sys.argv[1:]
    panel = OnAndOff() if commands == "none" else Coloured(commands)
    if part == "part":
        panel.memory[:] = open(file + ".memory", "rb").read()
    written = panel.take(transfers(open(f"{file}.{part}", "rb").read()), part == "whole")
    open(file + ".memory", "wb").write(panel.memory)
    write_png(file + ".png", panel)
    size, colour = read_png(file + "-player.png")
    if size != panel.size:
        fail(f"  the player draws {size[0]}x{size[1]}, the panel has {panel.size[0]}x{panel.size[1]}")
    wrong = [(x, y) for y in range(size[1]) for x in range(size[0])
             if any(abs(one - other) > panel.tolerance for one, other in zip(colour(x, y), panel.pixel(x, y)))]
    if wrong:
        fail(f"  {len(wrong)} pixels are not the player's, the first at {wrong[0]}: {panel.pixel(*wrong[0])}, and not {colour(*wrong[0])}")
    whole = len(panel.memory)
    if part == "part" and not 0 < written < whole:
        fail(f"  {written} bytes of {whole} for another volume")
    print(f"  what it shows is what the player drew; {written} bytes were written, a whole picture has {whole}")


main()
