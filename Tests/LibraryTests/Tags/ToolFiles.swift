import Glibc
import Runtime
import TestSupport

@testable import Library

/// Files that other people's programs made, and what those programs say of them.
final class ToolFiles {
  struct Failed: Error, CustomStringConvertible { let description: String }

  let folder = TempFolder()

  init() throws {
    try run("ffmpeg -v error -f lavfi -i 'sine=440:r=44100:d=2.5' -ac 2 -c:a pcm_s16le source.wav")
    try run("ffmpeg -v error -f lavfi -i 'color=red:s=32x32' -frames:v 1 front.png")
  }

  /// Runs in the folder; gives what was printed.
  @discardableResult
  func run(_ command: String) throws -> [UInt8] {
    guard let pipe = popen("cd '\(folder.path)' && { \(command) ; } 2>&1 </dev/null", "r") else {
      throw Failed(description: "cannot run \(command)")
    }
    var output: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4_096)
    while case let count = fread(&block, 1, block.count, pipe), count > 0 { output += block[..<count] }
    guard pclose(pipe) == 0 else {
      throw Failed(description: "\(command) failed: \(String(decoding: output, as: UTF8.self))")
    }
    return output
  }

  func read(_ name: String) throws -> Metadata {
    try withFile(name) { file, size, path in
      var reader = MetadataReader()
      return try reader.read(file, size: size, name: path)
    }
  }

  func picture(_ name: String, _ index: Int = 0) throws -> [UInt8] {
    try withFile(name) { file, size, path in
      var reader = MetadataReader()
      let found = try reader.read(file, size: size, name: path)
      guard found.art.indices.contains(index) else { throw Failed(description: "\(name) has no picture") }
      return try found.art[index].load(file, name: path)
    }
  }

  func bytes(_ name: String) throws -> [UInt8] {
    try Descriptor.open(folder.path / name, O_RDONLY, code: "T-3").readAll(limit: 1 << 26, code: "T-3", doing: "read")
  }

  private func withFile<Result>(_ name: String, _ body: (Int32, Int64, FilePath) throws -> Result) throws -> Result {
    let path = folder.path / name
    let descriptor = try Descriptor.open(path, O_RDONLY, code: "T-3")
    return try body(descriptor.number, Int64(lseek(descriptor.number, 0, SEEK_END)), path)
  }

  /// What ffprobe says, "key=value" a line.
  func probe(_ name: String) throws -> [String: String] {
    let output = try run(
      "ffprobe -v error -select_streams a:0 -show_entries"
        + " stream=sample_rate,channels,duration:stream_tags:format=duration:format_tags -of default=nw=1 \(name)")
    var found: [String: String] = [:]
    for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      if parts.count == 2, parts[1] != "N/A" { found[parts[0].lowercased()] = String(parts[1]) }
    }
    return found
  }
}
