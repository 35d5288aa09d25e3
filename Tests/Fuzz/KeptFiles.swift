import Canvas
import Files
import Pictures
import Runtime

@testable import Library
@testable import Offline

private let folder = MadeUpFolder()

/// What a power cut, another program or another computer may have left in the folder of copies: a wish, a note, a count
/// of tries and a file by any name, parted by zeros. No name of it leads elsewhere, what is taken is the same when it is
/// written again, and what is not ours stays.
@Sendable func copyJournal(_ bytes: [UInt8]) {
  let parts = bytes.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false).map { Array($0) }
  let journal = CopyJournal(in: folder.path, disk: KernelDisk())
  try? journal.disk.makeFolder(journal.folder)
  func write(_ name: [UInt8], _ bytes: [UInt8]) {
    guard let name = FilePath(bytes: name) else { return }
    try? AtomicFile.replace(MadeUpFolder.joined(journal.folder, name), with: bytes)
  }
  for (name, part) in zip(["3.wish", "3.note", "3.tries"], parts) { write(Array(name.utf8), part) }
  let stranger = parts.count > 3 ? parts[3].filter { $0 != 0x2F && $0 != 0 }.prefix(60) : []
  // Names that are ours are made above; these belong to none of our wishes.
  if !stranger.isEmpty, stranger.first != 0x2E, !stranger.starts(with: "3.".utf8) { write(Array(stranger), [1]) }
  let boot = Array("boot".utf8)
  guard let left = try? journal.open(in: boot, tell: { precondition($0.message.utf8.count < 9_000, "a long message") })
  else { preconditionFailure("what lies in it stops the copies") }
  for (number, wish) in left.wishes {
    precondition(number == 3 && CopyWish(wish.json) == wish, "a wish changes when it is written and read again")
    precondition(wish.from.root.isAbsolute, "a source nowhere")
    for pick in wish.picks {
      for names in [pick.folder] + (pick.only ?? []).map({ [$0] }) {
        let areNames = names.allSatisfy { !$0.isEmpty && !$0.contains(0x2F) && $0 != [0x2E, 0x2E] }
        precondition(areNames, "a name that leads up")
        precondition(wish.path(of: names).bytes.starts(with: wish.from.root.bytes), "it leads elsewhere")
      }
    }
    if let note = journal.note(number) {
      precondition(note.durable >= 0, "less than nothing is durable")
      precondition((try? journal.note(number, note)) != nil && journal.note(number) == note, "a note changes")
    }
    journal.begin(number, boot)
    journal.begin(number, boot)
    guard let again = try? journal.open(in: boot, tell: { _ in }) else { preconditionFailure("it opens only once") }
    precondition(again.wishes.isEmpty && again.dropped.contains(wish), "it is tried for ever")
    journal.remove(number)
  }
  for name in ["3.wish", "3.note", "3.tries"] {
    precondition(left.wishes.isEmpty || (try? AtomicFile.read(journal.folder / name, limit: 9)) == nil, "it stays")
  }
  for name in (try? Folder.names(in: journal.folder)) ?? [] {
    journal.disk.remove(MadeUpFolder.joined(journal.folder, name))
  }
}

/// A disk's mark as it lies on the disk: bounded, and the disk is known again by what was read of it.
@Sendable func volumeMark(_ bytes: [UInt8]) {
  let disk = KernelDisk()
  folder.write(VolumeMark.file, bytes)
  guard let text = (try? VolumeMark.text(at: folder.path, on: disk)) ?? nil else {
    preconditionFailure("a mark that is there is not read")
  }
  // What is no text stands as replacements, three bytes for one.
  precondition(text.utf8.count <= 300, "a mark that is too long")
  precondition(VolumeMark(text, at: folder.path).isThere(on: disk), "a disk is not known again")
  var other = bytes
  guard let last = other.indices.prefix(100).last, String(validating: bytes, as: UTF8.self) != nil else { return }
  other[last] = other[last] == 0x61 ? 0x62 : 0x61
  guard other != bytes else { return }
  folder.write(VolumeMark.file, other)
  precondition(!VolumeMark(text, at: folder.path).isThere(on: disk), "another disk is taken for it")
}

/// A cover as it is kept, once as it stands there and once with the right head and sum around it: nothing is taken that
/// would not be written so.
@Sendable func artRecord(_ bytes: [UInt8]) {
  let key = ArtKey(
    identity: ArtIdentity(upper: 1, lower: .max), frame: .fitting(Size(width: 24, height: 24)))
  let other = ArtKey(identity: key.identity, frame: .filling(Size(width: 24, height: 24)))
  guard let pixel = Picture(size: Size(width: 1, height: 1), pixels: [7]) else { return }
  let written = ArtRecord.bytes(of: pixel, as: key)
  let size = bytes.prefix(4)
  let made = size.count < 4 ? [] : Array(written[..<14]) + size + Array(written[18..<34]) + bytes.dropFirst(4)
  for record in [bytes, mended(bytes), mended(made + [UInt8](repeating: 0, count: 8))] {
    guard let picture = ArtRecord.picture(from: record, of: key) else { continue }
    precondition(picture.pixels.count == picture.size.width * picture.size.height, "pixels without a place")
    precondition(picture.pixels.allSatisfy { $0 <= 0xFF_FFFF }, "more than a colour")
    precondition(ArtRecord.bytes(of: picture, as: key) == record, "a picture changes when it is written again")
    precondition(ArtRecord.picture(from: record, of: other) == nil, "another's picture")
    precondition(ArtRecord.picture(from: record.dropLast(), of: key) == nil, "half a picture")
  }
}

/// With the sum that these bytes have.
private func mended(_ bytes: [UInt8]) -> [UInt8] {
  let body = Array(bytes.dropLast(8))
  let sum = ArtIdentity(of: body).lower
  return body + (0..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt64($0))) }
}
