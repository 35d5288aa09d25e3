internal import CVorbis
import Glibc
import Runtime

/// Owns one open file of libvorbisfile's.
struct VorbisLibrary: ~Copyable {
  let file: UnsafeMutablePointer<OggVorbis_File>

  /// `bytes` must live as long as the file is read. Without `jumps` it is a stream from here on: of a chain only what
  /// plays now is known, and there is no length.
  init?(_ bytes: OggBytes, jumps: Bool) {
    let file = UnsafeMutablePointer<OggVorbis_File>.allocate(capacity: 1)
    memset(file, 0, MemoryLayout<OggVorbis_File>.size)
    bytes.grant()
    let opened = ov_open_callbacks(
      Unmanaged.passUnretained(bytes).toOpaque(), file, nil, 0, Self.callbacks(jumps: jumps))
    guard opened == 0 else {
      // The library has given back all but the place itself.
      file.deallocate()
      return nil
    }
    self.file = file
  }

  private static func callbacks(jumps: Bool) -> ov_callbacks {
    ov_callbacks(
      read_func: { buffer, size, count, data in
        guard let bytes = OggBytes.from(data), let buffer else { return 0 }
        // libvorbisfile takes 0 for the end unless errno says otherwise.
        let got = bytes.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
        errno = got < 0 ? EIO : 0
        return max(got, 0)
      },
      seek_func: jumps ? { data, offset, whence in OggBytes.from(data)?.seek(offset, whence) == true ? 0 : -1 } : nil,
      close_func: nil,
      tell_func: jumps ? { data in OggBytes.from(data).map { Int($0.position) } ?? -1 } : nil)
  }

  /// Frames up to the first stream of a chain that cannot be played in one go with the first, if there is one.
  borrowing func length(atRate rate: Int32) -> (frames: Int64, isAll: Bool)? {
    guard ov_seekable(file) != 0 else { return nil }
    var sum: Int64 = 0
    for link in 0..<Int32(clamping: ov_streams(file)) {
      guard let info = ov_info(file, link)?.pointee, info.rate == rate, info.channels <= ChannelFold.most else {
        return (sum, false)
      }
      let (longer, overflow) = sum.addingReportingOverflow(ov_pcm_total(file, link))
      guard !overflow, longer >= sum else { return nil }
      sum = longer
    }
    return (sum, true)
  }

  borrowing func tags() -> Tags {
    guard let comment = ov_comment(file, 0)?.pointee else { return Tags() }
    return VorbisComments(
      texts: comment.user_comments, lengths: comment.comment_lengths, count: comment.comments
    ).tags
  }

  deinit {
    ov_clear(file)
    file.deallocate()
  }
}
