import Glibc
import Runtime
import Store
import Synchronization
import TestSupport

@testable import Library

/// A folder of small valid files, and a catalogue that it is imported into.
final class MusicTree: Sendable {
  let state = TempFolder()
  let music = TempFolder()
  let loop: EventLoop
  private let work: EventLoop
  let catalogue: Catalogue
  let importer: Importer
  private let known = Atomic<Int64>(0)
  var source: Int64 { known.load(ordering: .relaxed) }

  init(_ disk: any ImportDisk = SourceDisk(), _ limits: ImportLimits = ImportLimits()) throws {
    loop = try EventLoop("library", mayBlock: true)
    try loop.start()
    work = try EventLoop("work", mayBlock: true)
    try work.start()
    catalogue = Catalogue(in: state.path, on: loop)
    importer = Importer(into: catalogue, on: work, disk: disk, limits)
  }

  deinit {
    work.stop()
    loop.stop()
  }

  func open() async throws {
    _ = try await catalogue.open(afterUncleanStop: false, today: "2026-11-21")
    let source = try await catalogue.source(
      .folder, key: music.path.bytes, label: "music", root: music.path, today: 1_000)
    known.store(source, ordering: .relaxed)
  }

  @discardableResult
  func run(
    until sign: StopSign = StopSign(), told: @escaping @Sendable (ImportProgress) -> Void = { _ in }
  ) async throws -> ImportProgress {
    try await importer.run(source: source, root: music.path, today: 1_000, sign: sign, told: told)
  }

  func path(_ name: String) -> FilePath { music.path / name }

  func write(_ name: String, _ bytes: [UInt8]) throws { try write(Array(name.utf8), bytes) }

  func write(_ name: [UInt8], _ bytes: [UInt8]) throws {
    let path = FilePath(bytes: music.path.bytes + [0x2F] + name) ?? music.path
    try Folder.make(path.folder)
    let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600, code: "T-1")
    guard Glibc.write(file.number, bytes, bytes.count) == bytes.count else {
      throw Fault.system("T-2", doing: "write \(path)")
    }
  }

  /// Everything that is known, in rows that can be compared.
  func rows() throws -> [String] {
    let connection = try Connection(open: state.path / "library.db", as: .reader)
    let files = try connection.rows(
      """
      SELECT f.id, f.folder, hex(d.name), hex(f.name), f.size, f.title, f.artists, a.title, f.place, hex(r.key), f.problem
      FROM file f JOIN folder d ON d.id = f.folder LEFT JOIN album a ON a.id = f.album
        LEFT JOIN recording r ON r.id = f.recording ORDER BY f.id
      """
    ) { row in
      (0..<11).map { row.text(Int32($0)) ?? row.integer(Int32($0)).map { "\($0)" } ?? "-" }.joined(separator: "|")
    }
    let words = try ["air", "suite", "b"].flatMap { word in
      try connection.rows("SELECT rowid FROM track_words WHERE track_words MATCH ? ORDER BY rowid", [.text("\(word)*")])
      {
        "\(word) \($0.integer(0) ?? 0)"
      }
    }
    let letters = try connection.rows("SELECT list, letter, count FROM letter ORDER BY list, letter") {
      "\($0.integer(0) ?? 0) \($0.text(1) ?? "") \($0.integer(2) ?? 0)"
    }
    let lists = try connection.rows("SELECT playlist, place, file, hex(written) FROM imported_entry ORDER BY 1, 2") {
      row in (0..<4).map { row.text(Int32($0)) ?? row.integer(Int32($0)).map { "\($0)" } ?? "-" }.joined(separator: "|")
    }
    return files + words + letters + lists
  }
}
