import Audio
import Runtime

/// One parser of foreign bytes: whatever they are, it may refuse them but not break, and what it takes in keeps its
/// laws.
typealias Entry = @Sendable ([UInt8]) -> Void

enum Entries {
  static let all: [String: Entry] = [
    "configuration": configuration, "json": json, "decoder-flac": decoder, "decoder-mp3": decoder,
  ]
}

/// What was read and is written again says the same.
@Sendable private func configuration(_ bytes: [UInt8]) {
  if let reading = try? Settings.read(board: bytes, owner: nil, lastGood: { _ in nil }) {
    let again = Array(reading.settings.fileText(.board).utf8)
    let second = try? Settings.read(board: again, owner: nil, lastGood: { _ in nil })
    precondition(second?.settings == reading.settings, "settings change when they are written and read again")
  }
  // An owner's file never stops the start.
  let reading = try? Settings.read(board: [], owner: .success(bytes), lastGood: { _ in nil })
  precondition(reading != nil, "an owner's file stopped the start")
}

@Sendable private func json(_ bytes: [UInt8]) {
  guard let value = try? JSON(parsing: bytes) else { return }
  precondition((try? JSON(parsing: value.bytes)) == value, "a value changes when it is written and read again")
}

@Sendable private func decoder(_ bytes: [UInt8]) {
  guard let decoder = try? openDecoder(MemorySource(bytes)) else { return }
  let count = 1_024
  let frames = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * count)
  defer { frames.deallocate() }
  // A header may promise hours; what the bytes hold is soon read, silence for the rest is bounded here.
  for round in 0..<200 {
    guard let got = try? decoder.read(into: frames, count: count) else { return }
    precondition(got >= 0 && got <= count, "the decoder gave \(got) frames of \(count)")
    if got == 0 { break }
    // Into the middle once, as a listener would.
    if round == 3, (try? decoder.seek(toFrame: 700)) == nil { return }
  }
}
