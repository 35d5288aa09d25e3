internal import COpus
import Formats
import Glibc
import Runtime

/// Owns one open file of libopusfile's.
struct OpusLibrary: ~Copyable {
  let file: OpaquePointer

  /// As `VorbisLibrary`.
  init?(_ bytes: OggBytes, jumps: Bool) {
    var callbacks = OpusFileCallbacks(
      read: { data, buffer, count in
        guard let bytes = OggBytes.from(data), let buffer, count > 0 else { return -1 }
        return Int32(bytes.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))))
      },
      seek: jumps ? { data, offset, whence in OggBytes.from(data)?.seek(offset, whence) == true ? 0 : -1 } : nil,
      tell: jumps ? { data in OggBytes.from(data)?.position ?? -1 } : nil, close: nil)
    bytes.grant(toOpen: true)
    guard let file = op_open_callbacks(Unmanaged.passUnretained(bytes).toOpaque(), &callbacks, nil, 0, nil) else {
      return nil
    }
    self.file = file
  }

  /// All streams of a chain together: every one has 48 kHz.
  borrowing func length() -> Int64? {
    guard op_seekable(file) != 0 else { return nil }
    let frames = op_pcm_total(file, -1)
    return (0...AudioFormat.longest).contains(frames) ? frames : nil
  }

  borrowing func tags() -> Tags {
    guard let tags = op_tags(file, 0)?.pointee else { return Tags() }
    return VorbisComments(texts: tags.user_comments, lengths: tags.comment_lengths, count: tags.comments).tags
  }

  deinit { op_free(file) }
}
