import Runtime

@testable import HTTP
@testable import Services

/// The first line is asked for, and the others are where servers send the player one after the other, each perhaps with
/// the address (behind a space) that its host turned out to have. What is refused changes nothing, nobody is sent from
/// a safe place to one that is not, nor from the internet to a router.
@Sendable func webAddress(_ bytes: [UInt8]) {
  let lines = bytes.split(separator: 0x0A).prefix(20).map { String(decoding: $0, as: UTF8.self) }
  guard let first = lines.first, let start = WebPlace(first) else { return }
  check(start)
  var path = RedirectPath(from: start)
  var wasOnInternet = false
  var steps = 0
  for line in lines.dropFirst() {
    let words = line.split(separator: " ", maxSplits: 1)
    let next = WebPlace(words.first.map(String.init) ?? "", from: path.place)
    if let next { check(next) }
    let before = path.place
    if path.go(to: next) != nil {
      precondition(path.place == before, "what is refused is where it goes on")
      continue
    }
    steps += 1
    precondition(steps <= RedirectRule.most, "more redirects than there may be")
    precondition(path.place == next && path.place != before, "it went elsewhere")
    precondition(!before.isSafe || path.place.isSafe, "from https to http")
    precondition(path.isAtStart == path.place.isSameOrigin(as: start), "headers for another host")
    let reach = NetworkReach(of: words.count > 1 ? String(words[1]) : path.place.host)
    let trouble = path.arrive(reach)
    precondition((trouble == .inward) == (reach == .local && wasOnInternet), "sent to a router, or not to a server")
    if trouble != nil { return }
    wasOnInternet = wasOnInternet || reach == .everywhere
  }
}

private func check(_ place: WebPlace) {
  precondition(!place.host.isEmpty && !place.host.contains("/"), "a host that is none")
  precondition(place.text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "an address with spaces or controls")
  // By bytes: a mark at the start of a host's name makes one letter of itself and the slash before it.
  let scheme = place.isSafe ? "https://" : "http://"
  precondition(place.text.lowercased().utf8.starts(with: scheme.utf8), "another scheme is fetched")
  // What was understood is understood the same again, unless its signs make it too long.
  if let again = WebPlace(place.text) { precondition(again == place, "an address changes when it is read again") }
  if let safe = place.madeSafe { precondition(safe.isSafe && safe.host == place.host, "made safe, it is another") }
}

/// The first line is a source's folder, the others are paths or addresses: none of them leads out of the folder, and
/// the address of a path leads back to it.
@Sendable func folderAddress(_ bytes: [UInt8]) {
  let lines = bytes.split(separator: 0x0A).prefix(20).map { String(decoding: $0, as: UTF8.self) }
  guard let first = lines.first else { return }
  guard let folder = FolderAddress(first) else {
    precondition(FolderAddress.complaint(about: first).utf8.count <= 4 * first.utf8.count + 200, "a long complaint")
    return
  }
  precondition(FolderAddress(folder.text) == folder, "a folder changes when it is read again")
  precondition(folder.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "an address that is none")
  for line in lines.dropFirst() {
    precondition(FolderPath.decode(FolderPath.encode(line)).utf8.elementsEqual(line.utf8), "a name changes on its way")
    if let path = try? FolderPath(line) {
      check(path)
      let address = FilePath(folder.address(of: path))
      precondition(WebAddress(address)?.path(below: folder) == path, "a path's address leads elsewhere")
    }
    guard let name = FilePath(bytes: line.utf8), let found = WebAddress(name)?.path(below: folder) else { continue }
    check(found)
  }
}

private func check(_ path: FolderPath) {
  precondition(path.text.utf8.count <= FolderPath.longest, "a path that is too long")
  precondition(path.encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3F && $0 != 0x23 }, "no address")
  for name in path.text.utf8.split(separator: 0x2F, omittingEmptySubsequences: false) {
    precondition(!name.isEmpty && !name.elementsEqual("..".utf8), "a path that leads elsewhere")
  }
}
