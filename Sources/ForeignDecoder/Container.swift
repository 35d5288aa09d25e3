internal import CAV
import DecoderProtocol
import Glibc

/// Owns an opened file: where its packets come from. Only one stream of it is looked at, the best of its sound.
final class Container {
  let context: UnsafeMutablePointer<AVFormatContext>
  let stream: UnsafeMutablePointer<AVStream>
  private let bytes: PlayerBytes
  private let io: UnsafeMutablePointer<AVIOContext>?

  /// Whatever number a file states, the library takes no larger block for it. Its list of packets has 24 bytes for each,
  /// which makes about 40 MB for a book of ten hours.
  private static let boundBlocks: Void = av_max_alloc(128 << 20)

  /// An MP4 file may tell by an edit list which part of its sound is heard; `ignoringEdits` gives all of it.
  init(_ bytes: PlayerBytes, ignoringEdits: Bool = false) throws(Refusal) {
    Self.boundBlocks
    self.bytes = bytes
    io = bytes.open()
    var made = avformat_alloc_context()
    guard let io, let context = made else {
      avformat_free_context(made)
      PlayerBytes.close(io)
      throw Refusal(.unplayable, "no memory")
    }
    context.pointee.pb = io
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    context.pointee.format_whitelist = av_strdup(Known.containers)
    context.pointee.codec_whitelist = av_strdup(Known.decoders)
    // A file that names another one does not get it.
    context.pointee.io_open = { _, _, _, _, _ in layby_av_refused }
    // It frees the context when it fails.
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    if ignoringEdits { av_dict_set(&options, "ignore_editlist", "1", 0) }
    guard avformat_open_input(&made, nil, nil, &options) == 0, let opened = made else {
      PlayerBytes.close(io)
      throw Refusal(.unknown, "not a kind of file that is known")
    }
    self.context = opened
    if avformat_find_stream_info(opened, nil) >= 0 {
      let best = av_find_best_stream(opened, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
      if best >= 0, let stream = opened.pointee.streams[Int(best)] {
        self.stream = stream
        for index in 0..<Int(opened.pointee.nb_streams) where index != Int(best) {
          opened.pointee.streams[index]?.pointee.discard = AVDISCARD_ALL
        }
        return
      }
    }
    avformat_close_input(&made)
    PlayerBytes.close(io)
    throw Refusal(.unplayable, "there is no sound in it")
  }

  deinit {
    var closing: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&closing)
    PlayerBytes.close(io)
  }

  /// All that it says about itself, up to `Reply.mostTags`.
  var tags: [(key: String, value: String)] {
    var found: [(String, String)] = []
    for dictionary in [context.pointee.metadata, stream.pointee.metadata] {
      var entry: UnsafeMutablePointer<AVDictionaryEntry>?
      while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX), found.count < Reply.mostTags {
        entry = next
        guard let key = next.pointee.key, let value = next.pointee.value else { continue }
        found.append((String(cString: key), String(cString: value)))
      }
    }
    return found + chapters
  }

  /// Chapters as the tags that Ogg files use for them, whatever kind of file it is.
  private var chapters: [(key: String, value: String)] {
    var found: [(String, String)] = []
    for index in 0..<min(Int(context.pointee.nb_chapters), Reply.mostChapters) {
      guard let chapter = context.pointee.chapters[index]?.pointee, chapter.time_base.den > 0, chapter.start >= 0 else {
        continue
      }
      let milliseconds = av_rescale_q(chapter.start, chapter.time_base, AVRational(num: 1, den: 1_000))
      guard (0..<3_600_000 * 100).contains(milliseconds) else { continue }
      let number = Self.padded(Int64(index), 3)
      let seconds = milliseconds / 1_000
      let clock = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { Self.padded($0, 2) }.joined(separator: ":")
      found.append(("CHAPTER\(number)", "\(clock).\(Self.padded(milliseconds % 1_000, 3))"))
      if let title = av_dict_get(chapter.metadata, "title", nil, 0)?.pointee.value {
        found.append(("CHAPTER\(number)NAME", String(cString: title)))
      }
    }
    return found
  }

  private static func padded(_ number: Int64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// Of a kind that may have an edit list.
  var mayHaveEdits: Bool { kind.hasPrefix("mov,") }

  /// Of several names of one kind the library gives all.
  var kind: String { context.pointee.iformat.flatMap { $0.pointee.name }.map { String(cString: $0) } ?? "" }

  /// When its first packet begins, by the container's own list of packets.
  var firstTime: Int64? { avformat_index_get_entry(stream, 0).map(\.pointee.timestamp) }
}
