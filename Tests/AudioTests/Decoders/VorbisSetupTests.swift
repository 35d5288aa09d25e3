import Formats
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Set-up headers of Ogg Vorbis")
struct VorbisSetupTests {
  let folder = TempFolder()
  private var path: FilePath { folder.path / "a.ogg" }

  private static let dangerous: [VorbisBomb] = VorbisBomb.allCases.filter { $0 != .harmless }

  /// On a stack as small as the decode thread's.
  private func asPlayer<Value: Sendable>(_ body: @escaping @Sendable () -> Value) throws -> Value {
    let done = OneTime<Value>()
    try NamedThread.start("vorbis", stackBytes: 524_288) { done.give(body()) }
    return done.take()
  }

  /// Frames that are heard, and the fault.
  private struct Outcome: Equatable, Sendable {
    var frames = 0
    var damages = 0
    var code: String?
    var message = ""

    init(_ open: () throws(Fault) -> any Decoder) {
      do throws(Fault) {
        let decoder = try open()
        frames = try decoder.readAll().count / 2
        damages = decoder.damages
      } catch { (code, message) = (error.code, error.message) }
    }
  }

  @Test(
    "each encoder's file passes, and plays on a small stack", arguments: [8_000, 44_100, 48_000, 192_000] as [Int32])
  func encoders(rate: Int32) throws {
    for channels in [1, 2, 6, 8] {
      for quality in ["-1", "3", "6", "10"] {
        try Signal(rate: rate, channels: channels, frames: 700).writeVorbis(path, ["-q", quality])
        let path = path
        let heard = try asPlayer { Outcome { () throws(Fault) in try openDecoder(path, asking: nil) } }
        #expect(heard.frames == 700 && heard.damages == 0, "\(channels) channels, quality \(quality): \(heard)")
      }
    }
  }

  @Test("the largest header of a real encoder is as large as it is known to be")
  func largest() throws {
    try Signal(channels: 6, frames: 700).writeVorbis(path, ["-q", "10"])
    let setup = try #require(OggPages(try Bytes.read(path)).pages.lazy.flatMap(\.packets).first { $0.first == 5 })
    let read = try #require(VorbisSetup(setup))
    #expect(read.entries == 19_413 && read.usedEntries == 19_041 && read.floats == 85_928)
    #expect(read.refusal(stack: 262_144) == nil)
    #expect(VorbisSetup(Array(setup.dropLast(setup.count / 2))) == nil)
  }

  @Test("the small file that bombs are made like plays in each layout that libvorbis takes")
  func harmless() throws {
    for layout in [.plain, .split] as [VorbisBomb.Layout] {
      try Bytes.write(VorbisBomb.harmless.bytes(layout), to: path)
      let path = path
      let heard = try asPlayer { Outcome { () throws(Fault) in try openDecoder(path) } }
      #expect(heard.frames == Int(VorbisBomb.frames) && heard.damages == 0, "\(layout): \(heard)")
    }
  }

  @Test("a header that asks for too much is refused by name, in each layout", arguments: VorbisSetupTests.dangerous)
  func bombs(bomb: VorbisBomb) throws {
    for layout in VorbisBomb.Layout.allCases {
      try Bytes.write(bomb.bytes(layout), to: path)
      let path = path
      let heard = try asPlayer { Outcome { () throws(Fault) in try openDecoder(path) } }
      #expect(heard.code == "A-188" && heard.message.contains("\(path)"), "\(layout): \(heard)")
    }
  }

  @Test("what one thread has the stack for, another may not have")
  func stack() throws {
    let read = try #require(VorbisSetup(OggPages(VorbisBomb.orderedBook.bytes()).pages[1].packets[1]))
    #expect(read.mostUsedEntries == 65_536)
    #expect(read.refusal(stack: 512 << 10)?.contains("65536 used entries") == true)
    #expect(read.refusal(stack: 8 << 20) == nil)
    // A larger stack that a thread just left is given to the next one.
    let ended = OneTime<Int>()
    try NamedThread.start("large", stackBytes: 2 << 20) { ended.give(NamedThread.stackLeft) }
    #expect((2_000_000...2 << 20).contains(ended.take()))
    for _ in 0..<20 {
      let left = try asPlayer { NamedThread.stackLeft }
      #expect((400_000...524_288).contains(left))
    }
  }

  @Test("a stream that comes over a line is refused too", arguments: VorbisSetupTests.dangerous)
  func coming(bomb: VorbisBomb) throws {
    let loop = try EventLoop("line")
    try loop.start()
    let bytes = bomb.bytes()
    let heard = try asPlayer {
      Outcome { () throws(Fault) in try openDecoder(SlowLine(bytes, on: loop)) }
    }
    #expect(heard.code == "A-188", "\(heard)")
  }

  @Test("the background measurement of loudness says so too")
  func measuring() throws {
    try Bytes.write(VorbisBomb.orderedBook.bytes(), to: path)
    let answer = OneTime<String?>()
    try LoudnessWorker().measure(path) { result in
      if case .failure(let fault) = result { answer.give(fault.code) } else { answer.give(nil) }
    }
    #expect(answer.take() == "A-188")
  }

  @Test(
    "as a later stream of a chain it is left out, and what is around it plays", arguments: VorbisSetupTests.dangerous)
  func chained(bomb: VorbisBomb) throws {
    let good = VorbisBomb.harmless.bytes(serial: 1)
    try Bytes.write(good + bomb.bytes(serial: 2) + VorbisBomb.harmless.bytes(serial: 3), to: path)
    let path = path
    let heard = try asPlayer { Outcome { () throws(Fault) in try openDecoder(path) } }
    #expect(heard.code == nil && heard.frames >= Int(VorbisBomb.frames) && heard.damages > 0, "\(heard)")
    // The same number again, so that it looks like the stream before. How long that is nobody can say.
    try Bytes.write(good + bomb.bytes(serial: 1), to: path)
    let again = try asPlayer { Outcome { () throws(Fault) in try openDecoder(path) } }
    #expect(again.code == nil, "\(again)")
  }

  @Test("nothing is changed on the way but what belongs to no page, from any place on")
  func unchanged() throws {
    try Signal(frames: 60_000).writeVorbis(path)
    let whole = try Bytes.read(path)
    let half = whole.count / 2
    let torn = Array(whole[..<half]) + [UInt8].noise(9_000) + whole[half...]
    for bytes in [whole, torn] {
      let source = CountedSource(bytes, name: "whole")
      let checked = CheckedVorbisSource(source)
      for start in [0, 1, 5_000, half - 100, half + 4_000, bytes.count - 40, bytes.count] {
        let read = try checked.peek(bytes.count, at: Int64(start))
        #expect(read.count == bytes.count - start)
        let wrong = read.indices.first { read[$0] != bytes[start + $0] && read[$0] != 0 }
        #expect(wrong == nil, "from \(start)")
        if start == 0, bytes.count == whole.count { #expect(read == whole) }
      }
    }
  }
}
