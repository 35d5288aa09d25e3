internal import CFLAC
import Formats
import Runtime

/// What the library's callbacks read and leave behind. One decoder, one thread.
final class FLACState {
  let source: any ByteSource
  var fault: Fault?
  var header: FLAC__StreamMetadata_StreamInfo?
  var tags = Tags()
  private(set) var damages = 0
  /// Bytes that may be read before the next frame must have been found.
  private var searchLeft = FLACState.longestHead
  /// The library says several things of one damaged place, and hands out the broken block as silence; the place ends
  /// with the first block of which nothing was said.
  private var isDamaged = false
  private var saidSinceBlock = false
  private var fold: ChannelFold?
  private var block = UnsafeMutablePointer<Int32>.allocate(capacity: 2)
  private var capacity = 1
  private var taken = 0
  private var filled = 0

  init(_ source: any ByteSource) { self.source = source }

  deinit { block.deallocate() }

  /// All that stands before the first frame: pictures of up to 16 MB each.
  private static let longestHead = 64 << 20
  /// Between two frames, the largest of which has 2 MB. What is farther from the last good frame is not looked for.
  private static let longestSearch = 4 << 20

  /// A frame that is broken costs as much of the search as so many bytes. One of thirty bytes may say that it has eight
  /// channels of 65,535 samples, and the library only notices at the last channel that it has not.
  private static let brokenFrame = 4 << 10

  /// Called before each request to the library: it may search anew. `fromHead`: it reads the head before.
  func allowSearch(fromHead: Bool = false) { searchLeft = fromHead ? Self.longestHead : Self.longestSearch }

  /// 0 at the end, and when nothing was found for too long. Throws what the source throws.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    guard searchLeft > 0 else {
      noteDamage()
      return 0
    }
    let got = try source.read(into: buffer)
    searchLeft -= got
    return got
  }

  var waiting: Int { filled - taken }

  func take(into frames: UnsafeMutablePointer<Int32>, count: Int) -> Int {
    let moved = min(count, waiting)
    frames.update(from: block + 2 * taken, count: 2 * moved)
    taken += moved
    return moved
  }

  func drop(_ count: Int) -> Int {
    let dropped = min(count, waiting)
    taken += dropped
    return dropped
  }

  func forget() {
    taken = 0
    filled = 0
  }

  func noteDamage() {
    if !isDamaged { damages += 1 }
    isDamaged = true
    saidSinceBlock = true
    searchLeft -= Self.brokenFrame
  }

  func put(_ frame: FLAC__Frame, _ planes: UnsafePointer<UnsafePointer<FLAC__int32>?>) {
    let channels = Int(frame.header.channels)
    let count = Int(frame.header.blocksize)
    let bits = Int32(frame.header.bits_per_sample)
    // Behind another stream's frames something of this one may come again.
    if let header, frame.header.sample_rate != header.sample_rate { return noteDamage() }
    if fold?.channels != channels { fold = ChannelFold(channels: channels) }
    guard let fold, (1...32).contains(bits) else { return }
    isDamaged = saidSinceBlock
    saidSinceBlock = false
    searchLeft = Self.longestSearch
    if count > capacity {
      block.deallocate()
      block = .allocate(capacity: 2 * count)
      capacity = count
    }
    fold.fold(planes, count: count, shift: 32 - bits, into: block)
    taken = 0
    filled = count
  }

  func read(comments: FLAC__StreamMetadata_VorbisComment) {
    guard let entries = comments.comments else { return }
    var read = VorbisComments()
    for index in 0..<min(Int(comments.num_comments), VorbisComments.most) {
      guard let bytes = entries[index].entry else { continue }
      read.add(bytes, length: Int(entries[index].length))
    }
    read.nameFields()
    tags = read.tags
  }
}
