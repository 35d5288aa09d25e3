"""What went over the wires of a small panel, judged: for Tests/lib/panels.sh.

    panel-wires.py FILE COMMANDS HALF

FILE.wires is QEMU's trace of its PL061, whose lines are for SPI: 0 clock, 1 data, 2 chip select (low), 4 data or command; and
for I2C: 0 clock, 1 data. Up to byte HALF of it stands for the panel's first picture, whose player's picture is
FILE-first.png; what follows for a change, FILE-second.png. The panel's first commands must be those in the file COMMANDS
(`ssd1306`, `sh1106`: an OLED, at I2C, whose driver knows them). What was written into its memory must be what the player
drew, and a change less than a whole picture. The panel's pictures are FILE-shown-first.png and FILE-shown-second.png.
"""
import struct
import sys
import zlib


def states(lines):
    """Which lines are driven, and how they stand."""
    for line in lines:
        at = line.find("GPIODIR 0x")
        if at >= 0:
            words = line[at:].split()
            yield int(words[1], 16), int(words[3], 16)


class FourWires:
    """SPI. What was said while the panel was selected: whether it was data, and the bytes."""

    def __init__(self):
        self.clock, self.is_asleep = 0, True
        self.bits, self.count, self.said = 0, 0, bytearray()

    def take(self, lines):
        for driven, level in states(lines):
            level &= driven
            clock, is_asleep = level & 1, level & 4 != 0
            if is_asleep and not self.is_asleep:
                if self.said:
                    yield level & 16 != 0, bytes(self.said)
                    self.said.clear()
                self.bits = self.count = 0
            elif clock and not self.clock and not is_asleep:
                self.bits = self.bits << 1 | level >> 1 & 1
                self.count += 1
                if self.count == 8:
                    self.said.append(self.bits)
                    self.bits = self.count = 0
            self.clock, self.is_asleep = clock, is_asleep


class TwoWires:
    """I2C. What was said to the address 0x3c: whether it was data, and the bytes."""

    def __init__(self):
        self.clock = self.data = 1
        self.bits, self.said = [], None

    def take(self, lines):
        for driven, level in states(lines):
            # A one is a line that nobody drives.
            clock, data = level & 1, 0 if driven & 2 else 1
            if clock and self.clock and data != self.data:
                # The data line moves while the clock is high: low is a beginning, high an end.
                if data and self.said:
                    yield self.message(bytes(self.said))
                self.bits, self.said = [], None if data else bytearray()
            elif clock and not self.clock:
                self.bits.append(data)
                # The ninth is the panel's answer.
                if len(self.bits) == 9 and self.said is not None:
                    self.said.append(int("".join(map(str, self.bits[:8])), 2))
                    self.bits = []
            self.clock, self.data = clock, data

    @staticmethod
    def message(said):
        """The address, a byte that says what follows, and that: one byte of a command, or any number of data."""
        if len(said) < 3 or said[0] != 0x3C << 1 or said[1] not in (0x80, 0x40) or (said[1] == 0x80 and len(said) != 3):
            fail(f"  {said[:8].hex(' ')} is nothing that an OLED at 0x3c understands")
        return said[1] == 0x40, said[2:]


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
    """A memory of 16 bits a pixel, written through a window."""

    def __init__(self, path):
        self.path = path
        self.commands = first_commands(path)
        self.size = tuple(int(number) for number in path.rsplit("-", 1)[1].split("x"))
        self.picture = 2 * self.size[0] * self.size[1]
        self.memory = bytearray(self.picture)
        self.columns = self.rows = (0, 0)

    def take(self, said):
        told, written = [], 0
        for is_data, values in said:
            if not is_data:
                told += [bytes([command]) for command in values]
                continue
            command = told[-1][0]
            told[-1] += values[:8]
            if command == 0x2A:
                self.columns = struct.unpack(">HH", values)
            elif command == 0x2B:
                self.rows = struct.unpack(">HH", values)
            elif command == 0x2C:
                self.write(values)
                written += len(values)
        self.told = told
        return written

    def write(self, values):
        (left, right), (top, bottom) = self.columns, self.rows
        width = right - left + 1
        if len(values) != 2 * width * (bottom - top + 1):
            fail(f"  {len(values)} bytes for columns {self.columns} and rows {self.rows}")
        for number in range(bottom - top + 1):
            at = 2 * ((top + number) * self.size[0] + left)
            self.memory[at:at + 2 * width] = values[2 * number * width:2 * (number + 1) * width]

    def check_first(self):
        """The kernel sends a picture and a reset before the first commands; both are passed over."""
        told = list(self.told)
        while told and told[0][0] in (0x2A, 0x2B, 0x2C):
            told.pop(0)
        if told[:1] == [b"\x01"]:
            told.pop(0)
        begun = told[:len(self.commands)]
        if begun != self.commands:
            fail(f"  first commands: {[one.hex(' ') for one in begun]}, and not those of {self.path}")
        print(f"  its first {len(begun)} commands are those of image/panels")

    def pixel(self, x, y):
        value = struct.unpack_from(">H", self.memory, 2 * (y * self.size[0] + x))[0]
        red, green, blue = value >> 11, value >> 5 & 63, value & 31
        return red * 255 // 31, green * 255 // 63, blue * 255 // 31

    @staticmethod
    def fits(shown, drawn):
        """A step of five bits is 8; to spread what is between two steps over pixels takes one more."""
        return all(abs(one - other) <= 17 for one, other in zip(shown, drawn))


class OnAndOff:
    """An OLED: a byte is eight points, the lowest bit the highest point. An SSD1306 is told a range of columns and of pages,
    an SH1106 where a page's next byte goes; of its 132 columns the glass shows those from the third on."""

    size = (128, 64)
    arguments = {0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0x8D: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}

    def __init__(self, kind):
        self.has_ranges = kind == "ssd1306"
        self.picture = 128 * 8
        self.width, self.left = (128, 0) if self.has_ranges else (132, 2)
        self.memory = bytearray(self.width * 8)
        self.columns, self.pages = (0, 127), (0, 7)
        self.told = set()

    def take(self, said):
        written, values, command = 0, [], None
        for is_data, some in said:
            if is_data:
                self.write(some)
                written += len(some)
                continue
            for byte in some:
                if command is None:
                    command, values = byte, []
                    self.told.add(byte)
                else:
                    values.append(byte)
                if len(values) < self.arguments.get(command, 0):
                    continue
                if command == 0x21:
                    self.columns = tuple(values)
                elif command == 0x22:
                    self.pages = tuple(values)
                elif command < 0x10:
                    self.columns = (self.columns[0] & 0xF0 | command, self.width - 1)
                elif command < 0x20:
                    self.columns = (self.columns[0] & 0x0F | (command & 0x0F) << 4, self.width - 1)
                elif 0xB0 <= command < 0xB8:
                    self.pages = (command & 7, command & 7)
                command = None
        return written

    def write(self, some):
        if not self.has_ranges:
            at = self.pages[0] * self.width + self.columns[0]
            if self.columns[0] + len(some) > self.width:
                fail(f"  {len(some)} bytes from column {self.columns[0]} of page {self.pages[0]} on")
            self.memory[at:at + len(some)] = some
            return
        width, height = self.columns[1] - self.columns[0] + 1, self.pages[1] - self.pages[0] + 1
        if len(some) != width * height:
            fail(f"  {len(some)} bytes for columns {self.columns} and pages {self.pages}")
        for number, byte in enumerate(some):
            page, column = divmod(number, width)
            self.memory[(self.pages[0] + page) * self.width + self.columns[0] + column] = byte

    def check_first(self):
        # An SH1106 has a pump of its own.
        if not ({0x8D, 0xAF} if self.has_ranges else {0xAF}) <= self.told:
            fail("  its pump was not set, or it was not switched on")
        print("  it was switched on")

    @staticmethod
    def fits(shown, drawn):
        """The kernel makes a point of what is brighter than the middle."""
        brightness = (3 * drawn[0] + 6 * drawn[1] + drawn[2]) // 10
        return abs(brightness - 128) < 4 or (shown[0] > 0) == (brightness > 128)

    def pixel(self, x, y):
        return (255 if self.memory[y // 8 * self.width + self.left + x] >> y % 8 & 1 else 0,) * 3


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


def compare(panel, player, shown):
    write_png(shown, panel)
    size, colour = read_png(player)
    if size != panel.size:
        fail(f"  the player draws {size[0]}x{size[1]}, the panel has {panel.size[0]}x{panel.size[1]}")
    wrong = [(x, y) for y in range(size[1]) for x in range(size[0]) if not panel.fits(panel.pixel(x, y), colour(x, y))]
    if wrong:
        at = wrong[0]
        fail(f"  {len(wrong)} pixels are not the player's, the first at {at}: {panel.pixel(*at)}, and not {colour(*at)}")


def main():
    file, commands, half = sys.argv[1:]
    panel, wires = (OnAndOff(commands), TwoWires()) if commands in ("ssd1306", "sh1106") else (Coloured(commands), FourWires())
    with open(file + ".wires", encoding="ascii", errors="replace") as trace:
        first = panel.take(wires.take(trace.read(int(half)).splitlines()))
        panel.check_first()
        compare(panel, file + "-first.png", file + "-shown-first.png")
        changed = panel.take(wires.take(trace.read().splitlines()))
    compare(panel, file + "-second.png", file + "-shown-second.png")
    whole = panel.picture
    if not 0 < changed < whole:
        fail(f"  {changed} bytes were written for another place in the song, a whole picture has {whole}")
    print(f"  it shows what the player drew: {first} bytes were written, and {changed} for another place in the song; a picture has {whole}")


main()
