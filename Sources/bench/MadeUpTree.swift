import Glibc
import Library
import Runtime

/// Files as people have them, artist above album above track, on the disk and in memory: what is measured afterwards
/// is neither writing them nor reading them from the disk.
struct MadeUpTree {
  let path: FilePath
  let files: Int
  let folders: Int

  init(_ files: Int, in path: FilePath) throws(Fault) {
    Patience.tell("making \(files) files ...")
    (self.path, self.files) = (path, files)
    try Folder.make(path)
    var music = MadeUpLibrary(tracks: files)
    var sound = MadeUpSound(seed: 0x5EED)
    var artists: Set<String> = []
    var albums: Set<String> = []
    var (folder, format) = (path, MadeUpSound.Format.mp3)
    while music.count < files {
      let (isNewAlbum, metadata, _) = music.track()
      if isNewAlbum {
        let artist = Self.name(metadata.artists.first ?? "")
        if artists.insert(artist).inserted { try Folder.make(path / artist) }
        var album = Self.name("\(metadata.album ?? "") (\(metadata.year ?? 0))")
        if !albums.insert("\(artist)/\(album)").inserted { album += " \(music.count)" }
        folder = path / artist / album
        try Folder.make(folder)
        // An album is of one kind; most are MP3.
        format = [.mp3, .mp3, .flac, .flac, .opus][music.count % 5]
      }
      let number = metadata.track ?? 0
      let file =
        folder / "\(number < 10 ? "0" : "")\(number) \(Self.name(metadata.title ?? "")).\(format.rawValue)"
      try Self.write(sound.file(format, metadata), to: file)
    }
    folders = artists.count + albums.count
    // Or the disk would be busy with it while something is measured.
    sync()
    Patience.tell("made: \(files) files in \(folders) folders")
  }

  private static func write(_ bytes: [UInt8], to path: FilePath) throws(Fault) {
    let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, code: "B-250")
    try file.writeAll(bytes, code: "B-250", doing: "write \(path)")
  }

  /// What a file system takes, whole characters.
  private static func name(_ text: String) -> String {
    var name = ""
    for character in text where character != "/" {
      guard name.utf8.count < 180 else { break }
      name.append(character)
    }
    return name.isEmpty ? "-" : name
  }

  /// Moves it, which takes no time on one disk.
  func move(to other: FilePath) throws(Fault) { try Self.move(path, to: other) }
  func bringBack(from other: FilePath) throws(Fault) { try Self.move(other, to: path) }

  private static func move(_ from: FilePath, to other: FilePath) throws(Fault) {
    let moved = from.withCString { from in other.withCString { rename(from, $0) } }
    guard moved == 0 else { throw Fault.system("B-251", doing: "move \(from) to \(other)") }
  }
}
