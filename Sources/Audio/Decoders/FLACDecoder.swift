internal import CFLAC
import Formats
import Runtime

/// FLAC by libFLAC. The library calls back for bytes and with whole blocks; a block that is larger than what was asked
/// for waits in `block`. Damage is passed over: the library looks for the next good frame and what it finds plays.
final class FLACDecoder: Decoder {
  let format: AudioFormat
  let length: Int64?
  var lengthIsStated: Bool { length != nil }
  let tags: Tags
  var damages: Int { state.damages }
  private let library: FLACLibrary
  private let state: FLACState
  private var ended = false

  init(_ source: any ByteSource, inOgg: Bool = false) throws(Fault) {
    library = try FLACLibrary()
    state = FLACState(source)
    guard library.open(for: state, inOgg: inOgg),
      FLAC__stream_decoder_process_until_end_of_metadata(library.decoder) != 0,
      FLAC__stream_decoder_get_state(library.decoder) != FLAC__STREAM_DECODER_END_OF_STREAM,
      let header = state.header
    else {
      if let fault = state.fault { throw fault }
      throw Fault(.malformed, "A-120", "\(source.name) begins like FLAC, but its header is broken or cut off")
    }
    guard header.sample_rate > 0, header.channels > 0, (4...32).contains(header.bits_per_sample) else {
      throw Fault(
        .malformed, "A-121",
        "\(source.name) says it has \(header.sample_rate) Hz, \(header.channels) channels and "
          + "\(header.bits_per_sample) bits; expected at least one of each")
    }
    guard AudioFormat.rates.contains(Int32(clamping: header.sample_rate)) else {
      throw Fault(.unsupported, "A-122", "\(source.name) has \(header.sample_rate) Hz; 1,000 to 768,000 can be played")
    }
    format = AudioFormat(
      sampleRate: Int32(header.sample_rate), channels: Int32(header.channels),
      bitsPerSample: Int32(header.bits_per_sample), lossless: true)
    let stated = header.total_samples > 0 ? Int64(clamping: header.total_samples) : nil
    length = AudioFormat.believed(stated, inBytes: source.length, atMost: AudioFormat.MostFramesPerByte.flac)
    tags = state.tags
  }

  func read(into frames: UnsafeMutablePointer<Int32>, count: Int) throws(Fault) -> Int {
    guard count > 0 else { return 0 }
    state.allowSearch()
    while state.waiting == 0 {
      if ended { return 0 }
      let went = FLAC__stream_decoder_process_single(library.decoder) != 0
      if let fault = state.fault { throw fault }
      switch FLAC__stream_decoder_get_state(library.decoder) {
      case FLAC__STREAM_DECODER_END_OF_STREAM: ended = true
      // Asked again it would say again that all went well, for ever.
      case FLAC__STREAM_DECODER_ABORTED:
        throw Fault(.damaged, "A-123", "\(state.source.name) cannot be decoded any further")
      default: if !went { throw Fault(.damaged, "A-123", "\(state.source.name) cannot be decoded any further") }
      }
    }
    return state.take(into: frames, count: count)
  }

  func seek(toFrame frame: Int64, unless shouldStop: () -> Bool) throws(Fault) -> Bool {
    state.forget()
    state.allowSearch()
    ended = false
    if let length, frame >= length {
      ended = true
      return true
    }
    if FLAC__stream_decoder_seek_absolute(library.decoder, UInt64(max(frame, 0))) != 0 {
      if let fault = state.fault { throw fault }
      return true
    }
    // A file that does not know its length, or damage on the way: from the beginning, then.
    state.forget()
    state.allowSearch(fromHead: true)
    guard FLAC__stream_decoder_reset(library.decoder) != 0,
      FLAC__stream_decoder_process_until_end_of_metadata(library.decoder) != 0
    else { throw state.fault ?? Fault(.damaged, "A-124", "cannot go to frame \(frame) of \(state.source.name)") }
    var left = max(frame, 0)
    while left > 0 {
      while state.waiting == 0 && !ended {
        if shouldStop() { return false }
        let went = FLAC__stream_decoder_process_single(library.decoder) != 0
        if let fault = state.fault { throw fault }
        let now = FLAC__stream_decoder_get_state(library.decoder)
        if !went || now == FLAC__STREAM_DECODER_END_OF_STREAM || now == FLAC__STREAM_DECODER_ABORTED { ended = true }
      }
      let dropped = state.drop(Int(clamping: left))
      if dropped == 0 { return true }
      left -= Int64(dropped)
    }
    return true
  }
}

/// Owns one decoder of the library.
private struct FLACLibrary: ~Copyable {
  let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>

  init() throws(Fault) {
    guard let decoder = FLAC__stream_decoder_new() else { throw Fault(.passing, "A-125", "no memory to decode FLAC") }
    self.decoder = decoder
  }

  borrowing func open(for state: FLACState, inOgg: Bool) -> Bool {
    FLAC__stream_decoder_set_metadata_respond(decoder, FLAC__METADATA_TYPE_VORBIS_COMMENT)
    return FLACCallbacks.open(decoder, state, inOgg: inOgg)
  }

  deinit { FLAC__stream_decoder_delete(decoder) }
}
