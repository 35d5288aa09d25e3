import Runtime

/// One file on its way into the ring: its decoder, how far it is, and what it needs to be as loud as the others.
struct Voice {
  let entry: UInt64
  let decoder: any Decoder
  let facts: TrackFacts
  let music: DecodeOrders.Music
  /// The next frame to be read, at the decoder's rate.
  var frame: Int64
  /// The normaliser's, as a factor.
  var gain: Float = 1
  /// It was brought to another rate.
  var isResampled = false

  var rate: Int32 { decoder.format.sampleRate }

  /// Until its end, as far as that is known.
  var left: Int64? { decoder.length.map { $0 - frame } }

  /// A file that was cut off ends in peace for its decoder; only its length tells.
  var damages: Int {
    let isCutOff = decoder.lengthIsStated && decoder.length.map { frame < $0 } == true
    return max(decoder.damages, isCutOff ? 1 : 0)
  }
}
