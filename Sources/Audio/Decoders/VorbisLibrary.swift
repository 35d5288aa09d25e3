internal import CVorbis
import Glibc
import Runtime

/// Owns one open file of libvorbisfile's.
struct VorbisLibrary: ~Copyable {
  let file: UnsafeMutablePointer<OggVorbis_File>
  /// What the first granule says beyond what it can: the file is a part of a broadcast. The library forgets it at
  /// places; so it is taken from it, and added to what it is asked for.
  private let skew: Int64

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
    guard ov_seekable(file) != 0, let lengths = file.pointee.pcmlengths, lengths[0] > 0, lengths[1] >= 0,
      lengths[0] < .max - lengths[1]
    else {
      skew = 0
      return
    }
    skew = lengths[0]
    lengths[0] = 0
    lengths[1] += skew
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
    var sum = -skew
    for link in 0..<Int32(clamping: ov_streams(file)) {
      guard let info = ov_info(file, link)?.pointee, info.rate == rate, info.channels <= ChannelFold.most else {
        return (max(sum, 0), false)
      }
      let (longer, overflow) = sum.addingReportingOverflow(ov_pcm_total(file, link))
      guard !overflow, longer >= sum, longer <= AudioFormat.longest else { return nil }
      sum = longer
    }
    return (max(sum, 0), true)
  }

  /// False when the place was not reached.
  borrowing func seek(toFrame frame: Int64) -> Bool {
    // Up to the end of the first page the library counts from nought.
    if skew > 0, frame < Self.firstPage { return false }
    let (place, overflow) = frame.addingReportingOverflow(skew)
    return !overflow && ov_pcm_seek(file, place) == 0 && ov_pcm_tell(file) == place
  }

  /// More frames than a page holds as a rule.
  private static let firstPage: Int64 = 200_000

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
