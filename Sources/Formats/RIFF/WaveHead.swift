import Runtime

/// What stands around the sound of a WAV file (RIFF, and RF64 or BW64, which are longer than 4 GB), its chunks in
/// whatever order. The decoder (`WaveFile`) and the library (`FileReading.readWave`) take from it what they need.
struct WaveHead {
  /// Of the first "fmt " that there is: by that one the file is played.
  private(set) var format: Format?
  /// The first "data".
  private(set) var sound: Chunks.Head?
  /// The sound's bytes as the file states them; nil where that is open: to the end of the file.
  private(set) var stated: Int64?
  /// Frames, for codecs whose bytes do not tell them.
  private(set) var statedFrames: Int64?
  /// What is inside each list of texts, behind its name.
  private(set) var lists: [Range<Int64>] = []
  /// Tags of ID3's.
  private(set) var id3: [Chunks.Head] = []

  static func begins(_ piece: Piece) -> Bool {
    (piece.begins("RIFF") || piece.begins("RF64") || piece.begins("BW64")) && piece.begins("WAVE", at: 8)
  }

  /// `stopsAtSound`: what stands behind the sound is not waited for, once it is known what the sound is.
  init(_ bytes: any PlacedBytes, stopsAtSound: Bool = false) throws(Fault) {
    var lengths = Lengths(
      outer: Int64(try bytes.piece(at: 0, count: 8).little32(4)), fileLength: bytes.fileEnd)
    var chunks = Chunks(from: 12, to: bytes.fileEnd, bigEndian: false)
    while let chunk = try chunks.next(in: bytes) {
      var length = chunk.length
      switch chunk.name {
      case "fmt ":
        if format == nil { format = Format(try bytes.piece(at: chunk.start, count: Int(min(length, 40)))) }
      case "ds64":
        let piece = try bytes.piece(at: chunk.start, count: 16)
        if piece.count == 16 { lengths.longData = Int64(exactly: piece.little64(8)) }
      case "fact": statedFrames = Int64(try bytes.piece(at: chunk.start, count: 4).little32(0))
      case "data":
        let open = (bytes.fileEnd ?? .max) - chunk.start
        length = lengths.stated(of: chunk) ?? open
        if sound == nil { sound = chunk }
      case "LIST":
        if try bytes.piece(at: chunk.start, count: 4).begins("INFO") {
          let list = chunk.range(upTo: bytes.fileEnd ?? .max)
          lists.append(min(list.lowerBound + 4, list.upperBound)..<list.upperBound)
        }
      case "id3 ", "ID3 ": id3.append(chunk)
      default: break
      }
      if stopsAtSound, chunk.name == "data", format != nil { break }
      try chunks.pass(length, in: bytes)
    }
    // Last, since the long length may stand behind the sound.
    stated = sound.flatMap { lengths.stated(of: $0) }
  }

  /// What "fmt " says. Where it is cut off, what is missing is 0.
  struct Format {
    /// Bytes that it has; 16 are all that every file needs.
    let count: Int
    /// The one within, where the outer one only says that it is there.
    private(set) var codec: Int
    let channels: Int
    let rate: Int
    /// Bytes of a frame.
    let block: Int
    /// Of a sample, as it lies there.
    let bits: Int
    /// Those of them that are sound.
    private(set) var validBits: Int
    /// The speakers; 0 where nothing is said of them.
    private(set) var mask: UInt32 = 0

    private static let extensible = 0xFFFE

    init(_ piece: Piece) {
      count = piece.count
      (codec, channels, rate) = (piece.little16(0), piece.little16(2), Int(piece.little32(4)))
      (block, bits, validBits) = (piece.little16(12), piece.little16(14), piece.little16(14))
      guard codec == Self.extensible, count >= 40, Self.endsAsCodec(piece) else { return }
      codec = piece.little16(24)
      if piece.little16(18) > 0 { validBits = min(bits, piece.little16(18)) }
      mask = piece.little32(20)
    }

    /// The name of 16 bytes is one of those that begin with a codec's number.
    private static func endsAsCodec(_ piece: Piece) -> Bool {
      piece.part(26, 14).buffer.elementsEqual([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71])
    }
  }

  private struct Lengths {
    /// Written when a recording ends; 0 or nonsense in one that was cut off.
    let outer: Int64
    let fileLength: Int64?
    var longData: Int64?

    /// Of a recording that was never finished, or one written into a pipe, it is open: to the end of the file.
    func stated(of head: Chunks.Head) -> Int64? {
      if head.length == 0xFFFF_FFFF { return longData.flatMap { $0 > 0 ? $0 : nil } }
      let finished = fileLength.map { outer + 8 == $0 || outer + 9 == $0 } ?? false
      if head.length == 0 { return finished ? 0 : nil }
      // What sox writes into a pipe, a little below 2 GB.
      if head.length >= 0x7FFF_F000, fileLength.map({ head.start + head.length > $0 }) ?? true { return nil }
      return head.length
    }
  }
}
