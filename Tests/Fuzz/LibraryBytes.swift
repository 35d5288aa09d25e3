import Formats
import Runtime
import Store

@testable import Audio
@testable import Library

/// Lines of a cue part's times, as they stand in a queue's addresses: each gives the frames that it names of the file,
/// none twice and none left out, and what follows goes on where it has stopped.
@Sendable func cuePart(_ bytes: [UInt8]) {
  for line in bytes.split(separator: 0x0A).prefix(8) {
    guard let address = FilePath(bytes: Array("part:".utf8) + line), let part = MusicPart(address: address) else {
      continue
    }
    precondition(part.file.isAbsolute && part.begin >= .zero, "a part of nothing")
    precondition(MusicPart(address: part.address) == part, "a part changes when it is written and read again")
    precondition(address.ofFile == part.file, "a part of another file")
    guard let whole = try? openDecoder(MemorySource(numberedFrames), asking: nil) else {
      preconditionFailure("a good file is unplayable")
    }
    let decoder = PartDecoder(whole, part)
    let begin = min(frame(part.begin), frameCount)
    let end = max(begin, min(part.end.map(frame) ?? frameCount, frameCount))
    check(decoder, begin..<end)
    guard let last = part.end, let next = MusicPart(of: part.file, from: last, to: last + .milliseconds(50)),
      let following = decoder.following(next)
    else { continue }
    check(following, min(frame(last), frameCount)..<min(frame(last + .milliseconds(50)), frameCount))
  }
}

private func check(_ decoder: PartDecoder, _ expected: Range<Int64>) {
  let frames = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * 700)
  defer { frames.deallocate() }
  var place = expected.lowerBound
  while let got = try? decoder.read(into: frames, count: 700), got > 0 {
    for index in 0..<got {
      precondition(frames[2 * index] == Int32(place) << 16, "frame \(place) is another")
      place += 1
    }
  }
  precondition(place == expected.upperBound, "it ends at frame \(place) and not at \(expected.upperBound)")
}

private let frameCount: Int64 = 8_000

private func frame(_ time: Duration) -> Int64 { TrackPlace.time(time).frame(atRate: 8_000) }

/// A second of a WAV file, in which each sample is its own number.
private let numberedFrames: [UInt8] = {
  func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
  let samples = (0..<Int(frameCount)).flatMap { little($0, 2) }
  let format = little(1, 2) + little(1, 2) + little(8_000, 4) + little(16_000, 4) + little(2, 2) + little(16, 2)
  let head = Array("WAVEfmt ".utf8) + little(16, 4) + format + Array("data".utf8) + little(samples.count, 4)
  return Array("RIFF".utf8) + little(head.count + samples.count, 4) + head + samples
}()

private let file = MadeUpFile()
private let moved = MadeUpFile()

/// The sound of a file, repeated so that it may be longer than what is read of it, alone and with tags around it: it has
/// the same key, and another one as soon as a byte is another that is read.
@Sendable func contentKey(_ bytes: [UInt8]) {
  if let key = ContentKey(bytes: Array(bytes.prefix(16))) {
    precondition(ContentKey(bytes: key.bytes) == key && key.bytes == Array(bytes.prefix(16)), "a key changes")
  }
  guard bytes.count > 2 else { return }
  let times = 1 + Int(bytes[0]) % 4
  var sound = Array([[UInt8]](repeating: Array(bytes.dropFirst(2)), count: times).joined())
  let tag = [UInt8](repeating: 7, count: Int(bytes[1]))
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: ContentKey.part, alignment: 16)
  defer { buffer.deallocate() }
  func key(_ file: MadeUpFile, from begin: Int) -> ContentKey? {
    let range = Int64(begin)..<Int64(begin + sound.count)
    return (try? ContentKey(file.number, range, FilePath("made up"), buffer: buffer)) ?? nil
  }
  file.write(sound)
  moved.write(tag + sound + tag)
  guard let one = key(file, from: 0) else { preconditionFailure("a sound without a key") }
  precondition(key(moved, from: tag.count) == one, "a tag makes it another recording")
  // A file that was cut off, and places that are none.
  _ = key(file, from: tag.count)
  sound[sound.count - 1] ^= 1
  file.write(sound)
  precondition(key(file, from: 0) != one, "two sounds have one key")
}

/// Files of a folder in lines, their texts parted by zeros, the first byte of each the number of its folder: only those
/// that are named are read again, each once, and all that they could be is thinkable.
@Sendable func folderEncoding(_ bytes: [UInt8]) {
  var answers: [FileReader.Reading] = []
  var sizes: [Int] = []
  for line in bytes.split(separator: 0x0A).prefix(200) {
    let texts = line.dropFirst().split(separator: 0)
    var undeclared = UndeclaredTexts()
    for text in texts { undeclared.add(text) }
    let facts = FileFacts(folder: Int64(line.first ?? 0) % 3, name: [0x61], size: 1, modified: 1)
    answers.append(
      FileReader.Reading(found: Found(facts, .unreadable("")), undeclared: texts.isEmpty ? nil : undeclared))
    sizes.append(texts.count)
  }
  let doubtful = FolderEncoding.doubtful(answers)
  precondition(zip(doubtful, doubtful.dropFirst()).allSatisfy { $0.0 < $1.0 }, "a file is read again twice")
  for (place, shares) in doubtful {
    guard let texts = answers[place].undeclared else { preconditionFailure("nothing was doubtful") }
    precondition(shares.parts.allSatisfy { $0.isFinite && (0...1).contains($0) }, "a share that is none")
    precondition((0.99...1.01).contains(shares.parts.reduce(0, +)), "shares that are no whole")
    precondition(texts.encodings(in: shares).count == sizes[place], "a text without an encoding")
    // A file that is alone in its folder has nobody to be told by.
    let folder = answers[place].found.facts.folder
    precondition(answers.filter { $0.found.facts.folder == folder }.count > 1, "told by nobody")
  }
}

/// What somebody types or pastes, up to a megabyte of it: few words, short ones, and the index understands the question
/// in each stage.
@Sendable func searchQuery(_ bytes: [UInt8]) {
  let isLong = bytes.first.map { $0 & 0x80 != 0 } ?? false
  guard let typed = isLong ? LongText(bytes)?.bytes : bytes else { return }
  let query = SearchQuery(String(decoding: typed, as: UTF8.self))
  precondition(query.words.count <= SearchQuery.mostWords, "more words than there may be")
  for word in query.words {
    precondition(!word.isEmpty && word.unicodeScalars.count <= 48, "a word that is too long")
    precondition(!word.contains(" "), "two words in one")
  }
  guard !query.isEmpty, let index else { return }
  var rows: Set<Int64> = []
  for question in SearchQuery.Stage.allCases.map({ query.match($0, title: "title") }) {
    let found = try? index.rows("SELECT rowid FROM words WHERE words MATCH ?", [.text(question)]) { $0.integer(0) ?? 0 }
    guard let found else { preconditionFailure("the index does not understand what is asked: \(question)") }
    precondition(rows.isDisjoint(with: found), "a row is found twice")
    rows.formUnion(found)
  }
}

private let folder = MadeUpFolder()

/// Opened once. Touched on the fuzzer's one thread only.
private nonisolated(unsafe) let index: Connection? = {
  let titles = ["the road goes on", "on the road again", "\"quoted\" 'words' *", "東京 café"]
  do throws(Fault) {
    let index = try Connection(open: folder.path / "words", as: .writer(durability: .normal))
    try index.execute(
      """
      CREATE VIRTUAL TABLE words USING fts5(
        title, artist, album, content='', columnsize=0, detail='column', prefix='1 2 3',
        tokenize='ascii tokenchars ''!"#$%&''''()*+,-./:;<=>?@[\\]^_`{|}~''');
      """)
    for (place, title) in titles.enumerated() {
      let folded = SQLValue.text(Folding.folded(title))
      try index.run(
        "INSERT INTO words (rowid, title, artist, album) VALUES (?, ?, ?, ?)",
        [.integer(Int64(place) + 1), folded, folded, .text("all")])
    }
    return index
  } catch {
    print(error)
    preconditionFailure("no index")
  }
}()
