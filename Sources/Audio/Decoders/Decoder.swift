import Formats
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
