import Ciphers
import Runtime
import Services
import TestSupport

/// A web server's folder of music, on a real socket of the loopback, as `layby index` would describe it.
package struct KeptFolder {
  package let server: FaultServer
  /// By their paths in the folder.
  package let files: [String: [UInt8]]
  package let index: DirectoryIndex

  /// One album of so many pieces, each with a sound of its own and filled up to about so many bytes; with one cover for
  /// all of it. Where they are not tagged only the index says what they are called.
  package init(
    pieces count: Int, of size: Int = 40_000, pace: Pace = Pace(), cover: [UInt8]? = nil, tagged: Bool = true
  ) throws {
    var files: [String: [UInt8]] = [:]
    var index = DirectoryIndex(name: "Kiosk")
    for track in 1...count {
      let path = "far/\(track).mp3"
      var file = TinyMP3(
        title: "Distant \(Self.words[track % Self.words.count])", artist: "The Faraways", album: "Elsewhere",
        track: track, sound: UInt64(9_000 + track))
      file.hasTag = tagged
      var bytes = file.bytes
      let frame = file.bytes.suffix(417)
      while bytes.count < size { bytes += frame }
      files[path] = bytes
      var sum = try SHA256()
      sum.add(bytes)
      var item = DirectoryIndex.Item(
        .init(path: try FolderPath(path), size: Int64(bytes.count), hash: try sum.value().description))
      (item.title, item.artist, item.album, item.track) = (file.title, "The Faraways", "Elsewhere", track)
      item.length = .seconds(10)
      if cover != nil { item.art = try FolderPath("far/cover.png") }
      index.items.append(item)
    }
    (self.files, self.index) = (files, index)
    server = try FaultServer(pace: pace)
    serve(index, tag: "1")
    if let cover { server.serve("/far/cover.png", Resource(cover, etag: "\"cover\"", kind: "image/png")) }
    for (path, bytes) in files { server.serve("/\(path)", Resource(bytes, etag: "\"\(path)\"", kind: "audio/mpeg")) }
  }

  /// In the place of the index that was there.
  package func serve(_ index: DirectoryIndex, tag: String) {
    server.serve("/layby-index.json", Resource(index.fileBytes, etag: "\"\(tag)\"", kind: "application/json"))
  }

  private static let words = ["Ocean", "Prairie", "Glacier", "Delta", "Canyon", "Island", "Desert"]

  /// What the owner writes to have it.
  package var settings: String {
    "[sound]\nstart_volume = 100\n[offline]\nsettling = 0s\n[source kiosk]\nurl = \(server.url("/"))\n"
  }

  /// Bytes of music in all.
  package var size: Int { files.values.reduce(0) { $0 + $1.count } }

  /// What whole and right copies of it sum up to.
  package var sums: [String] { get throws { try Self.sums(of: files.values) } }

  /// In an order that says nothing of the files'.
  package static func sums(of files: some Sequence<[UInt8]>) throws -> [String] {
    var all: [String] = []
    for bytes in files {
      var sum = try SHA256()
      sum.add(bytes)
      all.append(try sum.value().description)
    }
    return all.sorted()
  }

  /// Bytes of music that have left so far.
  package var sent: Int { server.requests.reduce(0) { $0 + ($1.path.hasSuffix(".mp3") ? $1.sent : 0) } }

  /// How often a file of it was asked for.
  package func questions(for path: String) -> [SeenRequest] { server.requests.filter { $0.path == "/\(path)" } }
}
