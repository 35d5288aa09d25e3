import Runtime

/// Programs that everybody has for the same. They make nothing durable, and only where it is said here do they sum up.
enum DownloadPeer: CaseIterable {
  case curl
  case aria2
  /// Written, and summed up from there: what Layby has done when it is done.
  case curlThenSum
  /// Summed up as it comes, and kept nowhere: the least anybody can do.
  case curlIntoSum

  var name: String {
    switch self {
    case .curl: "curl"
    case .aria2: "aria2c -j3"
    case .curlThenSum: "curl; sha256sum"
    case .curlIntoSum: "curl | sha256sum"
    }
  }

  var programs: [String] {
    switch self {
    case .curl: ["curl"]
    case .aria2: ["aria2c"]
    case .curlThenSum, .curlIntoSum: ["curl", "sha256sum"]
    }
  }

  var isInstalled: Bool { programs.allSatisfy { Child.find($0) != nil } }

  /// What fetches `count` files out of `place` into `folder`: three at once when there are several.
  func words(_ count: Int, from place: String, ending: String, into folder: FilePath, list: FilePath) -> [String] {
    let (one, file) = ("\(place)0.\(ending)", "\(folder)/0.\(ending)")
    switch self {
    case .curl where count == 1: return ["curl", "-q", "-s", "-f", "-o", file, one]
    case .curl:
      return [
        "curl", "-q", "-s", "--no-progress-meter", "-f", "-Z", "--parallel-max", "3", "-o", "\(folder)/#1.\(ending)",
        "\(place)[0-\(count - 1)].\(ending)",
      ]
    case .aria2:
      return ["aria2c", "--no-conf", "-q", "-j3", "--file-allocation=none", "-d", "\(folder)", "-i", "\(list)"]
    case .curlThenSum: return ["sh", "-c", "curl -q -s -f -o '\(file)' '\(one)' && sha256sum '\(file)'"]
    case .curlIntoSum: return ["sh", "-c", "curl -q -s -f '\(one)' | sha256sum"]
    }
  }

  /// For aria2, which takes a list.
  static func list(_ count: Int, from place: String, ending: String) -> String {
    var text = ""
    for number in 0..<count { text += "\(place)\(number).\(ending)\n" }
    return text
  }
}

/// Runs one of them.
struct PeerRun {
  let scratch: Scratch
  private static let patience: Duration = .seconds(300)

  func run(_ peer: DownloadPeer, _ files: ServedFiles, at port: Int) throws(Fault) -> (
    seconds: Double, processor: Double
  ) {
    let folder = try scratch.emptyFolder("peer")
    let (place, list) = (files.folder(at: port), scratch.path / "list")
    let text = DownloadPeer.list(files.count, from: place, ending: files.ending)
    try AtomicFile.replace(list, with: Array(text.utf8))
    let words = peer.words(files.count, from: place, ending: files.ending, into: folder, list: list)
    let child = try Child(words, output: scratch.path / "peer-output")
    let ending = try child.wait(within: Self.patience)
    let took = (Moment.now - child.began).inSeconds
    let came = peer == .curlIntoSum ? files.count : try Folder.names(in: folder).count
    guard ending.code == 0, came == files.count else {
      throw Fault(.malformed, "B-268", "\(peer.name) ended with \(ending.code), and \(came) files are there")
    }
    return (took, ending.processorSeconds)
  }
}
