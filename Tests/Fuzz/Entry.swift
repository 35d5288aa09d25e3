import Audio
import Canvas
import Formats
import Hardware
import Library
import Offline
import Pictures
import Runtime
import Services

private let table = SettingsTable(
  RuntimeSettings.settings + HardwareSettings.settings + CanvasSettings.settings + AudioSettings.settings
    + LibrarySettings.settings + OfflineSettings.settings)

/// One parser of foreign bytes: whatever they are, it may refuse them but not break, and what it takes in keeps its
/// laws.
typealias Entry = @Sendable ([UInt8]) -> Void

enum Entries {
  static let all: [String: Entry] = [
    "foreign-reply": foreignReply, "foreign-question": foreignQuestion, "foreign-file": foreignFile,
    "configuration": configuration, "json": json, "picture": picture, "tags": tags,
    "decoder-flac": decoder, "decoder-mp3": decoder,
    "decoder-vorbis": ogg, "decoder-opus": ogg, "decoder-ogg-flac": ogg, "decoder-wave": decoder,
    "decoder-aiff": decoder, "text-encoding": textEncoding, "metadata": metadata, "playlist": playlist,
    "kernel-message": kernelMessage, "http-head": httpHead, "strict-hosts": strictHosts, "layby-index": laybyIndex,
    "answer": answer, "drawn-text": drawnText, "long-json": longJSON, "long-comments": longComments,
    "stick-setup": stickSetup, "device-record": deviceRecord, "mount-table": mountTable, "stick-label": stickLabel,
    "web-address": webAddress, "folder-address": folderAddress, "short-head": shortHead,
    "growing-flac": growing, "growing-mp3": growing, "growing-vorbis": growingOgg, "growing-opus": growingOgg,
    "growing-ogg-flac": growingOgg, "growing-wave": growing, "growing-aiff": growing,
    "cue-part": cuePart, "content-key": contentKey, "folder-encoding": folderEncoding, "search-query": searchQuery,
    "copy-journal": copyJournal, "volume-mark": volumeMark, "art-record": artRecord,
    "control-request": controlRequest, "keys": keys, "kernel-event": kernelEvent, "input-event": inputEvent,
    "seal-header": sealHeader, "signed-document": signedDocument, "licence-body": licenceBody,
    "statement-body": statementBody, "licence-bundle": licenceBundle, "kept-time": keptTime,
    "depot-request": depotRequest,
  ]
}

/// What was read and is written again says the same.
@Sendable private func configuration(_ bytes: [UInt8]) {
  if let reading = try? table.read(board: bytes, owner: nil, lastGood: { _ in nil }) {
    let again = Array(reading.settings.fileText(.board, in: table).utf8)
    let second = try? table.read(board: again, owner: nil, lastGood: { _ in nil })
    precondition(second?.settings == reading.settings, "settings change when they are written and read again")
  }
  // An owner's file never stops the start.
  let reading = try? table.read(board: [], owner: .success(bytes), lastGood: { _ in nil })
  precondition(reading != nil, "an owner's file stopped the start")
}

@Sendable func json(_ bytes: [UInt8]) {
  guard let value = try? JSON(parsing: bytes) else { return }
  precondition((try? JSON(parsing: value.bytes)) == value, "a value changes when it is written and read again")
}

/// A server's index: no path of it leads out of its folder, and it reads as it is written.
@Sendable private func laybyIndex(_ bytes: [UInt8]) {
  guard let index = try? DirectoryIndex(parsing: bytes) else { return }
  precondition(index.items.count <= DirectoryIndex.mostItems, "more items than there may be")
  for item in index.items {
    for path in [item.file.path] + item.variants.values.map(\.path) + [item.art].compactMap({ $0 }) {
      let names = path.encoded.split(separator: "/", omittingEmptySubsequences: false)
      precondition(!names.contains("..") && !names.contains(".") && !names.contains(""), "a path that leads elsewhere")
      precondition(path.encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "an address that is none")
    }
  }
  precondition((try? DirectoryIndex(parsing: index.fileBytes)) == index, "an index changes when it is written again")
}

/// Within a tenth of what a picture may cost, so that each try is quick.
@Sendable private func picture(_ bytes: [UInt8]) {
  var limits = PictureLimits()
  (limits.pixels, limits.memory, limits.work) = (4_000_000, 16 << 20, 20_000_000)
  for frame in [PictureFrame.square(24), .fitting(Size(width: 90, height: 40))] {
    guard let picture = try? Picture.decode(bytes, named: "made up", as: frame, limits: limits) else { continue }
    precondition(picture.pixels.count == picture.size.width * picture.size.height, "pixels without a place")
    precondition(
      (1...90).contains(picture.size.width) && (1...40).contains(picture.size.height), "a size out of bounds")
    precondition(picture.pixels.allSatisfy { $0 <= 0xFF_FFFF }, "more than a colour")
  }
}

@Sendable private func ogg(_ bytes: [UInt8]) { decoder(OggSums.mend(bytes)) }

/// Lines of a key and its text, and the whole once more as texts of a WAV file and as its ID3 tag.
@Sendable func tags(_ bytes: [UInt8]) {
  var tags = Tags()
  for line in bytes.split(separator: 0x0A) {
    let parts = line.split(separator: 0x3D, maxSplits: 1)
    guard parts.count == 2 else { continue }
    tags.add(String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self))
    if let note = GaplessNote(String(decoding: parts[1], as: UTF8.self)) {
      precondition((0...65_535).contains(note.delay) && note.frames > 0, "a note that makes no sense")
    }
  }
  check(tags)
  func chunk(_ name: String, _ inside: [UInt8]) -> [UInt8] {
    let length = (0..<4).map { UInt8(truncatingIfNeeded: inside.count >> (8 * $0)) }
    return Array(name.utf8) + length + inside + (inside.count % 2 == 1 ? [0] : [])
  }
  let format: [UInt8] = [1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x40, 0x1F, 0, 0, 1, 0, 8, 0]
  let wave =
    chunk("fmt ", format) + chunk("LIST", Array("INFO".utf8) + bytes) + chunk("id3 ", bytes) + chunk("data", [0x80])
  let file = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WAVE".utf8) + wave
  guard let decoder = try? openDecoder(MemorySource(file)) else {
    preconditionFailure("tags made a good file unplayable")
  }
  check(decoder.tags)
}

/// What is shown and what is played louder is bounded, whatever was said.
private func check(_ tags: Tags) {
  precondition(tags.raw.count <= 200, "more tags than there may be")
  for text in tags.raw.map(\.value) + [tags.title, tags.artist, tags.album].compactMap({ $0 }) {
    precondition(!text.isEmpty && text.unicodeScalars.count <= 500, "a text that is too long")
    precondition(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "a control character")
  }
  for gain in [tags.loudness.trackGain, tags.loudness.albumGain].compactMap({ $0 }) {
    precondition((-51...51).contains(gain), "a gain of \(gain) dB")
  }
}

@Sendable private func decoder(_ bytes: [UInt8]) {
  if let decoder = try? openDecoder(MemorySource(bytes)) { play(decoder) }
}

/// As a listener would: some of it, and once into the middle.
func play(_ decoder: any Decoder) {
  let count = 1_024
  let frames = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * count)
  defer { frames.deallocate() }
  // A header may promise hours; what the bytes hold is soon read, silence for the rest is bounded here.
  for round in 0..<200 {
    guard let got = try? decoder.read(into: frames, count: count) else { return }
    precondition(got >= 0 && got <= count, "the decoder gave \(got) frames of \(count)")
    if got == 0 { break }
    if round == 3, (try? decoder.seek(toFrame: 700)) == nil { return }
  }
}
