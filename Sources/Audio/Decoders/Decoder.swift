import Runtime

/// Makes frames of a file's bytes. A frame is one left and one right sample, each an Int32 whose highest bits carry
/// the source's sample, so that 8 to 32 bits pass exactly; mono is doubled, more channels are folded (`ChannelFold`).
/// Used by one thread at a time.
package protocol Decoder: AnyObject {
  var format: AudioFormat { get }
  /// Frames in all; nil when the file does not say.
  var length: Int64? { get }
  /// The file itself says how long it is, so that one that ends before has been cut off; else it was reckoned.
  var lengthIsStated: Bool { get }
  var tags: Tags { get }
  /// How often damage was met and passed over so far.
  var damages: Int { get }
  /// Up to `count` frames into `frames` (two samples each); 0 at the end, and only there. A fault ends the track.
  func read(into frames: UnsafeMutablePointer<Int32>, count: Int) throws(Fault) -> Int
  /// The next frame read is `frame`, exactly; beyond the end there is nothing more to read.
  /// It may take as long as decoding all that is before; it is given up, and the decoder with it, as soon as
  /// `shouldStop` says so. False then.
  func seek(toFrame frame: Int64, unless shouldStop: () -> Bool) throws(Fault) -> Bool
}

extension Decoder {
  package func seek(toFrame frame: Int64) throws(Fault) { _ = try seek(toFrame: frame, unless: { false }) }
}

/// Opens by what is in the file, not by what it is called.
package func openDecoder(_ path: FilePath) throws(Fault) -> any Decoder {
  try openDecoder(FileSource(path))
}

package func openDecoder(_ source: some ByteSource) throws(Fault) -> any Decoder {
  let start = try source.peek(10, at: 0)
  if start.isEmpty { throw Fault(.malformed, "A-110", "\(source.name) is empty; expected FLAC or MP3") }
  let tagLength = ID3v2.length(start)
  let musicStart = try source.peek(4, at: tagLength)
  let isFLAC = musicStart == Array("fLaC".utf8)
  let isMPEG = isFLAC ? false : try MPEGHeader.isNear(tagLength, in: source)
  try source.seek(to: 0)
  if isFLAC { return try FLACDecoder(source) }
  if isMPEG { return try MP3Decoder(source, tagLength: tagLength) }
  throw Fault(.malformed, "A-111", "\(source.name) holds neither FLAC nor MP3 (it begins with \(describe(start)))")
}

/// The first bytes as a person can compare them: the text if it is text, else the numbers.
private func describe(_ bytes: [UInt8]) -> String {
  if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return "\"\(String(decoding: bytes, as: UTF8.self))\"" }
  return bytes.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}
