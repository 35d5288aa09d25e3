// compose OUTFOLDER: writes the demo album's sound as WAV files: whole.wav, and the same cut into 1.wav, 2.wav, 3.wav; and
// its cover, cover.png.
import Glibc
import Runtime

guard CommandLine.arguments.count == 2, let folder = CommandLine.arguments.last, !folder.hasPrefix("-") else {
  print("usage: compose OUTFOLDER    writes whole.wav, its parts 1.wav 2.wav 3.wav, and cover.png")
  exit(64)
}

let album = Album()
var files = [(name: "whole.wav", frames: 0..<album.sound.frames)]
for (index, frames) in album.tracks.enumerated() { files.append((name: "\(index + 1).wav", frames: frames)) }
for file in files {
  let path = "\(folder)/\(file.name)"
  if let complaint = WaveFile.write(album.sound.samples(file.frames), to: path) {
    print("compose: cannot write \(path): \(complaint)")
    exit(1)
  }
  print("\(path): \(file.frames.count) frames")
}
do throws(Fault) {
  try AtomicFile.replace(FilePath("\(folder)/cover.png"), with: try Cover.png())
} catch {
  print("compose: \(error.message)")
  exit(1)
}
