import Formats
import Runtime
import Seals

/// One of the formats that we can play: how it is told by what is in the file, not by what it is called, and what
/// plays it.
struct FileKind: Sendable {
  /// As people call it.
  let name: String
  let test: @Sendable (FileStart) throws(Fault) -> Bool
  let make: @Sendable (FileStart) throws(Fault) -> any Decoder

  /// In this order: the surest signs first. MPEG has the weakest of all, two headers at the right distance.
  static let all: [FileKind] = [
    FileKind(
      name: "FLAC", test: { $0.music.starts(with: "fLaC".utf8) },
      make: { start throws(Fault) in
        guard let head = try ShortHead(flac: start.source, from: start.tagLength) else {
          try start.source.seek(to: 0)
          return try FLACDecoder(start.source)
        }
        return try FLACDecoder(start.shortened(to: head))
      }),
    FileKind(
      name: "Ogg Vorbis", test: { $0.codec == .vorbis },
      make: { start throws(Fault) in
        try ChainedDecoder(start.source) { source throws(Fault) in try VorbisDecoder(source) }
      }),
    FileKind(
      name: "Opus", test: { $0.codec == .opus },
      make: { start throws(Fault) in try OpusDecoder(start.source) }),
    FileKind(
      name: "Ogg FLAC", test: { $0.codec == .flac },
      make: { start throws(Fault) in try FLACDecoder(start.source, inOgg: true) }),
    FileKind(
      name: "WAV", test: { WaveFile.begins($0.first) },
      make: { start throws(Fault) in try PCMDecoder(wave: start.source) }),
    FileKind(
      name: "AIFF", test: { AIFFFile.begins($0.first) },
      make: { start throws(Fault) in try PCMDecoder(aiff: start.source) }),
    FileKind(
      name: "MP3",
      test: { start throws(Fault) in
        try MPEGHeader.isNear(start.tagLength, in: start.source, within: MPEGHeader.firstLook)
      }, make: makeMP3),
  ]

  /// Asked when the beginning is of no format: music may follow behind other bytes, such as the end of a page of the web
  /// that was stored with it. Ogg has the surer sign.
  static let behindOtherBytes: [FileKind] = [
    FileKind(
      name: "Ogg", test: { start throws(Fault) in try start.laterOgg() != nil },
      make: { start throws(Fault) in
        let place = try start.laterOgg() ?? 0
        return try openDecoder(ShortenedSource(start.source, head: [], then: place), asking: nil)
      }),
    FileKind(
      name: "MP3",
      test: { start throws(Fault) in
        try MPEGHeader.isNear(start.tagLength, in: start.source, within: MPEGHeader.searched)
      }, make: makeMP3),
  ]

  private static let makeMP3: @Sendable (FileStart) throws(Fault) -> any Decoder = { start throws(Fault) in
    let source: any ByteSource
    if let head = start.shortTag { source = start.shortened(to: head) } else { source = start.source }
    return try ChainedDecoder(source) { source throws(Fault) in
      try MP3Decoder(source, tagLength: ID3v2.length(source.peek(ID3v2.headLength, at: 0)))
    }
  }

  static var names: String {
    let names = all.map(\.name)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }
}

/// What can be told of a file without decoding.
struct FileStart {
  let source: any ByteSource
  /// The very first bytes.
  let first: [UInt8]
  /// The bytes behind the tag that may stand before the music.
  let music: [UInt8]
  let tagLength: Int64
  /// In place of a tag that is worth it.
  let shortTag: ShortHead?

  /// Enough for the first pages of several Ogg streams that lie side by side.
  private static let seen = 2_048

  init(_ source: any ByteSource) throws(Fault) {
    self.source = source
    first = try source.peek(Self.seen, at: 0)
    tagLength = ID3v2.length(first)
    // Before the music, which is then on its way already with what stands behind the pictures.
    shortTag = tagLength == 0 ? nil : try ShortHead(id3: source, length: tagLength)
    music = tagLength == 0 ? first : try source.peek(Self.seen, at: tagLength)
  }

  var codec: OggCodec? { OggCodec(music) }

  /// Where an Ogg file begins behind bytes of no format, if it does so near the beginning.
  func laterOgg() throws(Fault) -> Int64? {
    if codec != nil { return nil }
    let bytes = try source.peek(MPEGHeader.searched, at: tagLength)
    return OggCodec.place(in: bytes, seen: Self.seen).map { tagLength + Int64($0) }
  }

  func shortened(to head: ShortHead) -> ShortenedSource { ShortenedSource(source, head: head.bytes, then: head.rest) }
}

package func openDecoder(_ path: FilePath, asking help: ForeignHelp? = ForeignHelp()) throws(Fault) -> any Decoder {
  guard let part = MusicPart(address: path) else { return try openDecoder(FileSource(path), asking: help) }
  return PartDecoder(try openDecoder(part.file, asking: help), part)
}

/// What none of ours plays is tried by the decoder that is foreign to this process, with `help`.
package func openDecoder(
  _ whole: some ByteSource, asking help: ForeignHelp? = ForeignHelp()
) throws(Fault) -> any Decoder {
  let plain = try unsealed(whole, by: help?.keys)
  let source: any ByteSource = if let help { InterruptibleSource(plain, help) } else { plain }
  let start = try FileStart(source)
  if start.first.isEmpty {
    throw Fault(.malformed, "A-110", "\(source.name) is empty; expected \(FileKind.names)")
  }
  var refusal: Fault?
  for kind in FileKind.all + FileKind.behindOtherBytes where try kind.test(start) {
    do throws(Fault) {
      try source.seek(to: 0)
      return try kind.make(start)
    } catch {
      guard error.kind == .unsupported else { throw error }
      refusal = refusal ?? error
    }
  }
  // A decoder for all the rest, foreign to this process: asked for what no row takes, and for what one of them refuses
  // as `.unsupported` (a WAV file of some telephone's codec).
  var why = "nobody else was asked"
  if let help {
    do throws(Fault) {
      switch try ForeignDecoder.open(source, with: help) {
      case .decoder(let foreign): return foreign
      case .refused(let reason): why = reason
      }
    } catch {
      // Whoever knew the file's kind knows best what is wrong with it.
      throw error.isGivingUp ? error : refusal ?? error
    }
  }
  throw refusal
    ?? Fault(
      .malformed, "A-111",
      "\(source.name) holds no music that is known here; expected \(FileKind.names) (it begins with"
        + " \(describe(start.first.prefix(10)))); \(why)")
}

/// The first bytes as a person can compare them: the text if it is text, else the numbers.
private func describe(_ bytes: ArraySlice<UInt8>) -> String {
  if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return "\"\(String(decoding: bytes, as: UTF8.self))\"" }
  return bytes.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}
