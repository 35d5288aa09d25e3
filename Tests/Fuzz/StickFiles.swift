@testable import Hardware
@testable import Runtime

/// What a stick says of itself: its set-up file, its label, and what the system writes down of it.

/// What is confirmed is written as it was read, and nothing but digits and names of ours reaches the file that root
/// reads.
@Sendable func stickSetup(_ bytes: [UInt8]) {
  let setup: StickSetup
  do throws(Fault) { setup = try StickSetup(parsing: bytes) } catch {
    precondition(error.message.utf8.count <= 200, "a message as long as its file")
    return
  }
  precondition(bytes.count <= StickSetup.limit, "a file that is too long is taken")
  precondition((try? StickSetup(parsing: setup.bytes)) == setup, "a set-up changes when it is written and read again")
  if let name = setup.hostName {
    let letters = Array(name.utf8)
    precondition((1...63).contains(letters.count) && letters.first != 0x2D && letters.last != 0x2D, "no host's name")
    precondition(letters.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x2D }, "no host's name")
  }
  guard let network = setup.network else { return }
  precondition((1...32).contains(network.ssid.utf8.count), "no network has such a name")
  if let password = network.password, password.utf8.count != 64 {
    precondition(setup.description == description(of: setup, withPassword: "another one"), "the log tells a password")
    // A key costs 8,192 sums: not at each try.
    guard bytes.count % 16 == 0 else { return }
  }
  guard let lines = try? SupplicantFile.bytes(joining: network).split(separator: 0x0A) else {
    preconditionFailure("what was confirmed cannot be written")
  }
  let expected = network.password.map { $0.utf8.count == 64 ? 9 : 11 } ?? 8
  precondition(lines.count == expected, "a line more or less")
  for line in lines {
    for key in ["\tssid=", "\tpsk=", "\tsae_password="] where line.starts(with: key.utf8) {
      precondition(line.dropFirst(key.utf8.count).allSatisfy(isHexadecimal), "a text in root's file")
    }
  }
}

/// What the log says of the same file with another password.
private func description(of setup: StickSetup, withPassword password: String) -> String? {
  let lines = setup.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
    line.starts(with: "password = ".utf8) ? Array("password = \(SettingsText.written(password))".utf8) : Array(line)
  }
  return (try? StickSetup(parsing: Array(lines.joined(separator: [0x0A]))))?.description
}

private func isHexadecimal(_ byte: UInt8) -> Bool {
  0x30...0x39 ~= byte || 0x41...0x46 ~= byte || 0x61...0x66 ~= byte
}

/// What is shown and what is used as a name is plain, whatever stands on the stick.
@Sendable func deviceRecord(_ bytes: [UInt8]) {
  let record = DeviceRecord(bytes)
  for text in [record.uuid, record.fileSystem, record.partition].compactMap({ $0 }) {
    precondition(StickIdentity.isPlain(text.utf8), "an identity that is not plain")
  }
  check(shown: record.name)
  // A number may be replaced by signs of three bytes each.
  precondition(record.partitionNumber.utf8.count <= 30 && record.serial.utf8.count <= 600, "more than is kept")
  precondition((record.identity(bytes: .max) ?? "").utf8.count <= 1_000, "an identity that is too long")
  precondition(DeviceRecord(Array(bytes.prefix(DeviceRecord.limit))) == record, "what is beyond the limit counts")
}

@Sendable func stickLabel(_ bytes: [UInt8]) {
  let text = StickLabel.shown(bytes)
  check(shown: text)
  precondition(StickLabel.shown(Array(text.utf8)).utf8.elementsEqual(text.utf8), "cleaned twice is not cleaned once")
}

private func check(shown text: String) {
  precondition(text.unicodeScalars.count <= 40, "a label that is too long")
  precondition(text.unicodeScalars.allSatisfy { isPlain($0) && $0 != "\n" }, "a label that steers a terminal")
}

/// No mount outside of the folder, none at a place that is no plain name, and no two at one.
@Sendable func mountTable(_ bytes: [UInt8]) {
  let folder = FilePath("/run/layby-sticks")
  let found = MountTable.mounts(in: bytes, below: folder)
  for mount in found {
    precondition(mount.place.folder == folder && StickIdentity.isPlain(mount.place.name.bytes), "a place elsewhere")
    precondition(DeviceNumber("\(mount.device)".utf8) == mount.device, "a device that is none")
    precondition(mount.id >= 0, "a mount that is none")
  }
  precondition(Set(found.map(\.place)).count == found.count, "two at one place")
  // Order and what lies elsewhere change nothing.
  let other = Array("\n24 1 8:2 / /elsewhere ro - ext4 /dev/sda2 ro\n".utf8)
  precondition(MountTable.mounts(in: other + bytes, below: folder) == found, "what is mounted elsewhere counts")
}
