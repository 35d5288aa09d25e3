import Runtime

/// What stands around the sound of an AIFF or AIFF-C file: like WAV, with the bytes of numbers the other way round. The
/// decoder (`AIFFFile`) and the library (`FileReading.readAIFF`) take from it what they need.
struct AIFFHead {
  /// Of the first "COMM" that there is.
  private(set) var common: Common?
  /// The first "SSND".
  private(set) var sound: Chunks.Head?
  /// Between the chunk's own two numbers and the sound.
  private(set) var soundOffset: Int64 = 0
  /// Names, authors and notes.
  private(set) var texts: [Chunks.Head] = []
  /// Tags of ID3's.
  private(set) var id3: [Chunks.Head] = []

  /// A length that was never written: all of the file that follows.
  static let open: Int64 = 0xFFFF_FFFF

  static func begins(_ piece: Piece) -> Bool {
    piece.begins("FORM") && (piece.begins("AIFF", at: 8) || piece.begins("AIFC", at: 8))
  }

  /// `stopsAtSound`: what stands behind the sound is not waited for, once it is known what the sound is.
  init(_ bytes: any PlacedBytes, stopsAtSound: Bool = false) throws(Fault) {
    let compresses = try bytes.piece(at: 0, count: 12).begins("AIFC", at: 8)
    var chunks = Chunks(from: 12, to: bytes.fileEnd, bigEndian: true)
    while let chunk = try chunks.next(in: bytes) {
      switch chunk.name {
      case "COMM":
        if common == nil {
          common = Common(try bytes.piece(at: chunk.start, count: Int(min(chunk.length, 22))), compresses)
        }
      case "SSND": if sound == nil { sound = chunk }
      case "NAME", "AUTH", "ANNO": texts.append(chunk)
      case "ID3 ", "id3 ": id3.append(chunk)
      default: break
      }
      // Written into a pipe: nothing can follow.
      if chunk.name == "SSND", chunk.length == Self.open || stopsAtSound && common != nil { break }
      try chunks.pass(chunk.length, in: bytes)
    }
    if let sound { soundOffset = Int64(try bytes.piece(at: sound.start, count: 4).big32(0)) }
  }

  /// Where the first sample lies.
  func start(of sound: Chunks.Head) -> Int64 { sound.start + 8 + soundOffset }

  /// What "COMM" says. Where it is cut off, what is missing is 0.
  struct Common {
    let isWhole: Bool
    let channels: Int
    /// 0, or all ones, where it was never written.
    let frames: Int64
    let bits: Int
    let rate: Int
    /// Four letters; of a plain AIFF file "NONE".
    let codec: Letters

    init(_ piece: Piece, _ compresses: Bool) {
      isWhole = piece.count >= (compresses ? 22 : 18)
      (channels, frames, bits) = (piece.big16(0), Int64(piece.big32(2)), piece.big16(6))
      rate = Self.rate(piece.from(8))
      codec = compresses ? Letters(piece.big32(18)) : "NONE"
    }

    /// A float of 80 bits: sign, 15 bits of exponent, and 64 of which the first is written out. 0 when it is no rate.
    static func rate(_ piece: Piece) -> Int {
      let exponent = piece.big16(0) - 16_383
      guard (0...30).contains(exponent) else { return 0 }
      let mantissa = piece.big64(2)
      return Int(mantissa >> UInt64(63 - exponent)) + Int(mantissa >> UInt64(62 - exponent) & 1)
    }
  }
}
