import Formats
import Runtime

/// Makes frames of a file's bytes. A frame is one left and one right sample, each an Int32 whose highest bits carry
/// the source's sample, so that 8 to 32 bits pass exactly; mono is doubled, more channels are folded (`ChannelFold`).
/// Used by one thread at a time.
package protocol Decoder: AnyObject {
  var format: AudioFormat { get }
  /// The number of frames; nil when the file does not say.
  var length: Int64? { get }
  /// Whether `length` is stated in the file, so that a file that ends earlier was cut off; else it is an estimate.
  var lengthIsStated: Bool { get }
  var tags: Tags { get }
  /// How many damaged places were passed over so far.
  var damages: Int { get }
  /// Decodes up to `count` frames (two samples each) into `frames` and returns how many; 0 only at the end. A fault
  /// ends the track.
  func read(into frames: UnsafeMutablePointer<Int32>, count: Int) throws(Fault) -> Int
  /// Makes `frame` the next frame that is read, exactly; beyond the end there is nothing more to read. This may take as
  /// long as decoding all that comes before. It returns false when `shouldStop` said so; the decoder is then of no more
  /// use.
  func seek(toFrame frame: Int64, unless shouldStop: () -> Bool) throws(Fault) -> Bool
}

extension Decoder {
  package func seek(toFrame frame: Int64) throws(Fault) { _ = try seek(toFrame: frame, unless: { false }) }
}
