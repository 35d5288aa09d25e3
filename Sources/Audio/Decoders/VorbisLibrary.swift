internal import CVorbis
import Formats
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
    bytes.grant(toOpen: true)
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
      // The library begins a chain with the second stream when the first one has a single page of sound.
      bytes.grant()
      if ov_seekable(file) != 0, ov_streams(file) > 1, ov_pcm_seek(file, 0) != 0 { ov_raw_seek(file, 0) }
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

  struct Measure {
    /// Up to the first stream of another rate.
    var frames: Int64
    /// Streams of one rate that follow each other count as one.
    var later: [LaterStream] = []
    /// The chain has no stream that nobody can play.
    var isAll = true
  }

  /// What the chain consists of; nil when that is not known.
  borrowing func measure() -> Measure? {
    guard ov_seekable(file) != 0, let offsets = file.pointee.offsets else { return nil }
    var runs: [LaterStream] = []
    var isAll = true
    for link in 0..<Int32(clamping: ov_streams(file)) {
      guard let info = ov_info(file, link)?.pointee, info.channels <= ChannelFold.most,
        AudioFormat.rates.contains(Int32(clamping: info.rate))
      else {
        isAll = false
        break
      }
      let (rate, frames) = (Int32(info.rate), ov_pcm_total(file, link) - (link == 0 ? skew : 0))
      var run = runs.last?.length?.rate == rate ? runs.removeLast() : LaterStream(start: offsets[Int(link)])
      let (sum, overflow) = (run.length?.frames ?? 0).addingReportingOverflow(frames)
      guard !overflow, frames >= (link == 0 ? -skew : 0), sum <= AudioFormat.longest else { return nil }
      run.length = LaterStream.Length(frames: sum, rate: rate)
      runs.append(run)
    }
    guard let first = runs.first?.length else { return nil }
    return Measure(frames: max(first.frames, 0), later: Array(runs.dropFirst()), isAll: isAll)
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

  /// Tells one stream of a chain from the next.
  var serial: Int { file.pointee.current_serialno }

  deinit {
    ov_clear(file)
    file.deallocate()
  }
}
