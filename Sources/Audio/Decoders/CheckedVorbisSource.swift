internal import CVorbis
import Formats
import Runtime

/// A file as libvorbisfile may see it. libvorbis allocates what a set-up header asks for, on its stack too, and would
/// end the program with a few hundred bytes that ask for too much. So each set-up header is looked at here first, and
/// one that asks for more than any encoder does never reaches libvorbis (`VorbisSetup`).
///
/// For this to be certain both must see the same pages. The pages are found by libogg here as there; what belongs to no
/// valid page is delivered as zeros, and so are the pages that are left out. All bytes keep their places. libvorbisfile
/// reads headers only straight on from the page that begins a stream, so a seek forgets what was collected.
final class CheckedVorbisSource: ByteSource {
  private let source: any ByteSource
  private let sync = UnsafeMutablePointer<ogg_sync_state>.allocate(capacity: 1)
  /// The place of the next byte that is delivered.
  private(set) var position: Int64 = 0
  /// Zeros that are delivered next, and then what is left of `page`.
  private var zeros = 0
  private var page: [UInt8] = []
  private var delivered = 0
  /// Bytes that `sync` has and has said nothing about.
  private var undecided = 0
  private var isAtEnd = false
  private var streams: [UInt32: Stream] = [:]
  /// The places of the Vorbis streams that have begun since the last seek, and their rates.
  private var begun: [(start: Int64, rate: Int64)] = []
  /// Why a stream was left out, if one was.
  private(set) var refusal: Fault?

  private enum Stream {
    case headers(VorbisHeaders)
    /// None of its pages is delivered any more.
    case refused
  }

  /// Streams side by side whose headers are not read yet. Films have three or four.
  private static let mostStreams = 64
  /// Read in one go: as much as libvorbisfile asks for.
  private static let step = 2_048

  init(_ source: any ByteSource) {
    self.source = source
    ogg_sync_init(sync)
  }

  deinit {
    ogg_sync_clear(sync)
    sync.deallocate()
  }

  var name: String { source.name }
  var length: Int64? { source.length }
  var isComing: Bool { source.isComing }
  var duration: Duration? { source.duration }
  func isWhole() throws(Fault) -> Bool { try source.isWhole() }

  func seek(to position: Int64) throws(Fault) {
    try source.seek(to: position)
    self.position = position
    ogg_sync_reset(sync)
    (zeros, delivered, undecided, isAtEnd) = (0, 0, 0, false)
    page.removeAll(keepingCapacity: true)
    streams = [:]
    begun = []
  }

  /// Where the newest stream of that rate begins, of those that were read straight on.
  func start(ofRate rate: Int64) -> Int64? { begun.last { $0.rate == rate }?.start }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    guard !buffer.isEmpty else { return 0 }
    while zeros == 0, delivered == page.count {
      if isAtEnd { return 0 }
      try findPage()
    }
    var count = 0
    if zeros > 0 {
      count = min(zeros, buffer.count)
      UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]).initializeMemory(as: UInt8.self, repeating: 0)
      zeros -= count
    } else {
      count = min(page.count - delivered, buffer.count)
      buffer.copyBytes(from: page[delivered..<delivered + count])
      delivered += count
    }
    position += Int64(count)
    return count
  }

  private func findPage() throws(Fault) {
    var found = ogg_page()
    let answer = ogg_sync_pageseek(sync, &found)
    if answer == 0 { return try readOn() }
    undecided -= abs(answer)
    let head = UnsafeRawBufferPointer(start: found.header, count: answer > 0 ? found.header_len : 0)
    let body = UnsafeRawBufferPointer(start: found.body, count: answer > 0 ? found.body_len : 0)
    guard let facts = OggPage(head: head), isAllowed(facts, body) else {
      zeros += abs(answer)
      return
    }
    page.removeAll(keepingCapacity: true)
    page += head
    page += body
    delivered = 0
  }

  private func readOn() throws(Fault) {
    guard let room = ogg_sync_buffer(sync, Self.step) else {
      throw Fault(.passing, "A-189", "no memory to read \(name)")
    }
    let got = try source.read(into: UnsafeMutableRawBufferPointer(start: room, count: Self.step))
    ogg_sync_wrote(sync, got)
    undecided += got
    guard got == 0 else { return }
    // The file ends within what may have become a page.
    ogg_sync_reset(sync)
    zeros += undecided
    undecided = 0
    isAtEnd = true
  }

  private func isAllowed(_ head: OggPage, _ body: UnsafeRawBufferPointer) -> Bool {
    let known = streams[head.serial]
    if head.isFirst {
      if case .headers = known { return refuse(head.serial, "its header pages are in disorder") }
      streams[head.serial] = nil
      // The library reads a continued page differently when it is the first one.
      if head.isContinued { return false }
      guard let headers = VorbisHeaders(first: head, body) else { return true }
      if begun.count == Self.mostStreams { begun.removeFirst() }
      // Nothing in front of the page is waiting to be delivered.
      begun.append((position, headers.rate))
      if streams.count >= Self.mostStreams { return refuse(nil, "it has too many streams at once") }
      return take(head, body, headers)
    }
    switch known {
    case nil: return true
    case .refused: return false
    case .headers(let headers): return take(head, body, headers)
    }
  }

  private func take(
    _ head: OggPage, _ body: UnsafeRawBufferPointer, _ headers: VorbisHeaders
  ) -> Bool {
    var headers = headers
    switch headers.take(head, body) {
    case .nothingYet: streams[head.serial] = .headers(headers)
    case .disorder: return refuse(head.serial, "its header pages are in disorder")
    case .setup(let packet):
      guard let setup = VorbisSetup(packet) else { return refuse(head.serial, "its set-up header is broken") }
      if let why = setup.refusal(stack: NamedThread.stackLeft) {
        return refuse(head.serial, "its set-up header asks for \(why), more than any encoder writes")
      }
      streams[head.serial] = nil
    }
    return true
  }

  private func refuse(_ serial: UInt32?, _ why: String) -> Bool {
    if let serial { streams[serial] = .refused }
    refusal = refusal ?? Fault(.malformed, "A-188", "\(name) cannot be played: \(why)")
    return false
  }
}
