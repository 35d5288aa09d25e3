internal import CFLAC
import Runtime

/// The library's way into Swift. Each gets the `FLACState` that its decoder keeps alive.
enum FLACCallbacks {
  private static func state(_ data: UnsafeMutableRawPointer?) -> FLACState? {
    data.map { Unmanaged<FLACState>.fromOpaque($0).takeUnretainedValue() }
  }

  static func open(_ decoder: UnsafeMutablePointer<FLAC__StreamDecoder>, _ state: FLACState, inOgg: Bool) -> Bool {
    let begin = inOgg ? FLAC__stream_decoder_init_ogg_stream : FLAC__stream_decoder_init_stream
    return begin(
      decoder,
      { _, buffer, bytes, data in
        guard let state = FLACCallbacks.state(data), let buffer, let bytes else {
          return FLAC__STREAM_DECODER_READ_STATUS_ABORT
        }
        do throws(Fault) {
          bytes.pointee = try state.read(
            into: UnsafeMutableRawBufferPointer(start: buffer, count: bytes.pointee))
        } catch {
          state.fault = error
          return FLAC__STREAM_DECODER_READ_STATUS_ABORT
        }
        return bytes.pointee == 0
          ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
      },
      { _, offset, data in
        guard let state = FLACCallbacks.state(data), let position = Int64(exactly: offset) else {
          return FLAC__STREAM_DECODER_SEEK_STATUS_ERROR
        }
        do throws(Fault) { try state.source.seek(to: position) } catch { return FLAC__STREAM_DECODER_SEEK_STATUS_ERROR }
        return FLAC__STREAM_DECODER_SEEK_STATUS_OK
      },
      { _, offset, data in
        guard let state = FLACCallbacks.state(data) else { return FLAC__STREAM_DECODER_TELL_STATUS_ERROR }
        offset?.pointee = UInt64(state.source.position)
        return FLAC__STREAM_DECODER_TELL_STATUS_OK
      },
      { _, length, data in
        guard let known = FLACCallbacks.state(data)?.source.length else {
          return FLAC__STREAM_DECODER_LENGTH_STATUS_UNSUPPORTED
        }
        length?.pointee = UInt64(known)
        return FLAC__STREAM_DECODER_LENGTH_STATUS_OK
      },
      { _, data in
        guard let source = FLACCallbacks.state(data)?.source, let length = source.length else { return 0 }
        return source.position >= length ? 1 : 0
      },
      { _, frame, planes, data in
        guard let state = FLACCallbacks.state(data), let frame, let planes else {
          return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
        }
        state.put(frame.pointee, planes)
        return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
      },
      { _, metadata, data in
        guard let state = FLACCallbacks.state(data), let metadata else { return }
        switch metadata.pointee.type {
        case FLAC__METADATA_TYPE_STREAMINFO: state.header = metadata.pointee.data.stream_info
        case FLAC__METADATA_TYPE_VORBIS_COMMENT: state.read(comments: metadata.pointee.data.vorbis_comment)
        default: break
        }
      },
      { _, _, data in FLACCallbacks.state(data)?.noteDamage() },
      Unmanaged.passUnretained(state).toOpaque()) == FLAC__STREAM_DECODER_INIT_STATUS_OK
  }
}
