/// WAV and AIFF.
extension BrokenFile {
  static func wave(_ whole: WholeFiles) -> [BrokenFile] {
    let wave = whole.wave
    let refused = Fate.refused(["A-190", "A-191", "A-192", "A-193", "A-194", "A-195"])
    let all = Fate.plays(frames)
    func file(_ name: String, _ fate: Fate, _ change: (inout WaveBytes) -> Void) -> BrokenFile {
      var changed = wave
      change(&changed)
      return BrokenFile("WAV: \(name)", fate, changed.bytes)
    }
    let fmt = ("fmt ", wave.format)
    let data = ("data", wave.data)
    let lyingList = Array("INFO".utf8) + Array("INAM".utf8) + [255, 255, 255, 255] + Array("x".utf8)
    var files = [
      BrokenFile("WAV: the mark alone", refused, Array(wave.bytes[..<12])),
      BrokenFile("WAV: cut in the header", refused, Array(wave.bytes[..<30])),
      BrokenFile("WAV: cut before the sound", .plays(0), Array(wave.bytes[..<44])),
      BrokenFile("WAV: cut in a frame", .plays(500), Array(wave.bytes[..<2_047])),
      file("does not say what it holds", refused) { $0.chunks = [data] },
      file("no sound", refused) { $0.chunks = [fmt] },
      file("says too little", refused) { $0.chunks = [("fmt ", Array(wave.format[..<14])), data] },
      file("no channels", refused) { $0.channels = 0 },
      file("nine channels", refused) { $0.channels = 9 },
      file("65,535 channels", refused) { $0.channels = 65_535 },
      file("no rate", refused) { $0.rate = 0 },
      file("4 GHz", refused) { $0.rate = 0xFFFF_FFFF },
      file("no bits", refused) { $0.bits = 0 },
      file("64 bits", refused) { wave in (wave.bits, wave.width) = (64, 8) },
      file("more bits than bytes", .either) { $0.bits = 31 },
      file("a telephone's codec", refused) { $0.codec = 0x31 },
      file("samples of no bytes", all) { $0.width = 0 },
      file("samples of 4,000 bytes", refused) { $0.width = 4_000 },
      file("a mask of nothing but bass", all) { wave in
        wave.extensible = true
        wave.mask = 8
      },
      file("a chunk of 4 GB before the sound", refused) {
        $0.chunks = [fmt, ("junk", [])]
        $0.padded = false
      },
      file("10,000 chunks", refused) { $0.chunks = (0..<10_000).map { _ in ("junk", []) } + [fmt, data] },
      file("a thousand texts of nothing", all) {
        $0.chunks = [fmt, data] + (0..<900).map { _ in ("LIST", WaveBytes.info(["INAM": ""])) }
      },
      file("a text longer than its list", all) { $0.chunks = [fmt, ("LIST", lyingList), data] },
      file("a tag that lies inside", all) { $0.chunks = [fmt, ("id3 ", Array("ID3".utf8) + .noise(500)), data] },
      file("sound before what it is", all) { $0.chunks = [data, fmt] },
      file("two sounds", all) { $0.chunks = [fmt, data, data] },
      file("said twice, and differently", all) { $0.chunks = [fmt, ("fmt ", .noise(16)), data] },
      file("more sound than there is", all) { $0.dataLength = 0x1000_0000 },
      file("all lengths zero", all) { wave in (wave.outerLength, wave.dataLength) = (0, 0) },
      file("all lengths open", all) { wave in (wave.outerLength, wave.dataLength) = (.max, .max) },
      file("longer than the world", all) {
        $0.form = "RF64"
        $0.dataLength = .max
        $0.chunks = [("ds64", [UInt8](repeating: 255, count: 24) + .zeros(4)), fmt, data]
      },
      file("as long as can be counted", all) {
        $0.form = "BW64"
        $0.dataLength = .max
        $0.chunks = [("ds64", [UInt8](repeating: 255, count: 15) + [0x7F] + .zeros(12)), fmt, data]
      },
      file("sound of noise, as floats", .plays(frames / 2)) { wave in
        (wave.codec, wave.bits, wave.width) = (3, 32, 4)
        wave.data = .noise(wave.data.count)
      },
      file("no numbers, as long floats", .plays(frames / 4)) { wave in
        (wave.codec, wave.bits, wave.width) = (3, 64, 8)
        wave.data = [UInt8](repeating: 0xFF, count: wave.data.count)
      },
    ]
    files.append(BrokenFile("WAV: an MP3 in disguise", .either, Array(wave.bytes[..<44]) + whole.mp3))
    return files
  }

  static func aiff(_ whole: WholeFiles) -> [BrokenFile] {
    let aiff = whole.aiff
    let refused = Fate.refused(["A-190", "A-191", "A-196", "A-197", "A-198", "A-199"])
    let all = Fate.plays(frames)
    func file(_ name: String, _ fate: Fate, codec: String = "AIFF", _ change: (inout AIFFBytes) -> Void) -> BrokenFile {
      var changed = AIFFBytes(whole.signal, codec: codec)
      change(&changed)
      return BrokenFile("AIFF: \(name)", fate, changed.bytes)
    }
    return [
      BrokenFile("AIFF: the mark alone", refused, Array(aiff.bytes[..<12])),
      BrokenFile("AIFF: cut in the header", refused, Array(aiff.bytes[..<30])),
      BrokenFile("AIFF: no sound", refused, Array(aiff.bytes[..<38])),
      BrokenFile("AIFF: cut in a frame", .plays(400), Array(aiff.bytes[..<2_047])),
      BrokenFile(
        "AIFF: says too little", refused,
        Array("FORM".utf8) + [0, 0, 0, 16] + Array("AIFFCOMM".utf8)
          + [0, 0, 0, 2, 0, 2] + .zeros(30)),
      file("no channels", refused) { $0.channels = 0 },
      file("300 channels", refused) { $0.channels = 300 },
      file("no bits", refused) { $0.bits = 0 },
      file("99 bits", refused) { $0.bits = 99 },
      file("a rate that is no number", refused) { $0.rate = [UInt8](repeating: 0xFF, count: 10) },
      file("no rate", refused) { $0.rate = .zeros(10) },
      file("a rate below nothing", refused) { $0.rate[0] |= 0x80 },
      file("a year of frames", all) { $0.frames = 0xFFFF_FFFE },
      file("says it has no frames", .either) { $0.frames = 0 },
      file("sound that begins behind the end", .plays(0)) { $0.offset = 0xFFFF_FFFF },
      file("sound that begins later", .plays(frames - 250)) { $0.offset = 1_000 },
      file("sound of open length", all) { $0.soundLength = .max },
      file("sound of no length", all) { $0.soundLength = 0 },
      file("a codec that nobody knows", refused, codec: "MAC6") { _ in },
      file("floats that are no numbers", all, codec: "fl32") {
        $0.data = [UInt8](repeating: 0xFF, count: $0.data.count)
      },
      file("a title of a megabyte", all) { $0.extra = [("NAME", [UInt8](repeating: 0x41, count: 1 << 20))] },
      file("a tag that lies inside", all) { $0.extra = [("ID3 ", Array("ID3".utf8) + .noise(500))] },
      file("2,000 texts", refused) { $0.extra = (0..<2_000).map { _ in ("ANNO", [0x41, 0x42]) } },
    ]
  }
}
