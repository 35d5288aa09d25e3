import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

/// Programs that read aloud, made up: each is a few lines of shell.
private struct MadeUpReader {
  let folder = TempFolder()
  var program: SpeechProgram

  init(_ script: String) throws {
    let path = folder.path / "reader"
    try Bytes.write(Array("#!/bin/sh\n\(script)\n".utf8), to: path)
    try #require(path.withCString { chmod($0, 0o755) } == 0)
    program = SpeechProgram(["\(path)"])
  }

  func file(_ name: String, _ bytes: [UInt8]) throws { try Bytes.write(bytes, to: folder.path / name) }
  func read(_ name: String) throws -> String { String(decoding: try Bytes.read(folder.path / name), as: UTF8.self) }

  func say(
    _ text: String = "hello", rate: Int32 = 22_050, until interruption: SpeechProgram.Interruption? = nil
  ) throws -> [Int16]? {
    let interruption = try interruption ?? SpeechProgram.Interruption()
    return try program.say(
      SpokenText(text), .init(voice: "de+f3", wordsAMinute: 200), rate: rate, until: interruption)
  }

  /// As espeak-ng writes it into a pipe: it does not know yet how much it will be.
  static func wave(_ samples: [Int16], rate: UInt32 = 22_050) -> [UInt8] {
    func number(_ value: UInt32, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return Array("RIFF".utf8) + number(0x7FFF_F024, 4) + Array("WAVEfmt ".utf8) + number(16, 4) + number(1, 2)
      + number(1, 2) + number(rate, 4) + number(2 * rate, 4) + number(2, 2) + number(16, 2) + Array("data".utf8)
      + number(0x7FFF_F000, 4) + samples.flatMap { number(UInt32(UInt16(bitPattern: $0)), 2) }
  }
}

@Suite("A program that reads aloud")
struct SpeechProgramTests {
  private let samples = (0..<6_000).map { Int16(truncatingIfNeeded: $0 &* 37) }

  @Test("is given the text by its standard input and its options by name, and what it says comes to the bit")
  func says() throws {
    let reader = try MadeUpReader(#"cd "${0%/*}"; cat > text; echo "$*" > options; env > surroundings; cat voice.wav"#)
    try reader.file("voice.wav", MadeUpReader.wave(samples))
    #expect(try reader.say("--help -m <b>x</b>") == samples)
    #expect(try reader.read("text") == "--help -m <b>x</b>\n")
    #expect(try reader.read("options") == "-v de+f3 -s 200 -b 1 -z --stdin --stdout\n")
    #expect(try !reader.read("surroundings").contains("HOME="), "it is told nothing of us")
  }

  @Test("at another rate it is as long")
  func resampled() throws {
    let reader = try MadeUpReader(#"cat > /dev/null; cat "${0%/*}/voice.wav""#)
    try reader.file("voice.wav", MadeUpReader.wave(samples))
    #expect(try reader.say(rate: 48_000)?.count == Int(Resampler.length(of: 6_000, from: 22_050, to: 48_000)))
  }

  @Test(
    "that says nothing that is sound, or ends badly, is a fault that says so",
    arguments: [
      ("exit 3", "A-223", "code 3"), ("cat > /dev/null; kill -9 $$", "A-223", "code 137"),
      ("echo hello", nil, ""), ("cat > /dev/null", nil, ""), ("exec < /dev/null; printf 'RIFF....WAVEfmt '", nil, ""),
    ] as [(String, String?, String)])
  func broken(script: String, code: String?, words: String) throws {
    let reader = try MadeUpReader(script)
    let fault = try faultOf { _ = try reader.say() }
    if let code { #expect(fault.code == code) }
    #expect(fault.message.contains(words), "\(fault)")
  }

  @Test("whose voice has a rate that no voice has is a fault")
  func rates() throws {
    let reader = try MadeUpReader(#"cat > /dev/null; cat "${0%/*}/voice.wav""#)
    for rate: UInt32 in [1_000, 384_000] {
      try reader.file("voice.wav", MadeUpReader.wave(samples, rate: rate))
      #expect(try faultOf { _ = try reader.say() }.code == "A-223")
    }
  }

  @Test("that goes on and on is ended, what it started too, and what it has said until then is heard, and ends softly")
  func floods() throws {
    var reader = try MadeUpReader(#"echo $$ > "${0%/*}/pid"; cat "${0%/*}/voice.wav"; cat /dev/zero"#)
    let loud = [Int16](repeating: 9_000, count: 120_000)
    try reader.file("voice.wav", MadeUpReader.wave(loud))
    reader.program.mostBytes = 200_000
    for rate in [22_050, 48_000] as [Int32] {
      let said = try #require(try reader.say(rate: rate))
      let seconds = Double(said.count) / Double(rate)
      #expect(abs(seconds - 100_000.0 / 22_050) < 0.01, "\(seconds) s")
      let fade = Int(AsideMixer.goingLength(atRate: rate))
      #expect(said.dropFirst(1_000).dropLast(fade + 100).allSatisfy { abs(Int($0) - 9_000) < 50 })
      #expect(abs(Int(said.last ?? .max)) < 100)
      let steps = zip(said.suffix(fade), said.suffix(fade - 1)).map { abs(Int($0) - Int($1)) }
      #expect((steps.max() ?? .max) < 9_000 / fade + 50, "\(steps.max() ?? 0)")
      #expect(try isGone(reader))
    }
  }

  @Test("that hangs is ended when its time is over, and one that nobody wants any more at once")
  func hangs() throws {
    var reader = try MadeUpReader(#"echo $$ > "${0%/*}/pid"; exec sleep 1000"#)
    reader.program.patience = .milliseconds(300)
    #expect(try faultOf { _ = try reader.say() }.message.contains("too long"))
    #expect(try isGone(reader))
    reader.program.patience = .seconds(1_000)
    let interruption = try SpeechProgram.Interruption()
    interruption.ring()
    #expect(try reader.say(until: interruption) == nil)
  }

  @Test("that is not installed is told with the package that brings it")
  func missing() throws {
    let fault = try faultOf {
      try SpeechProgram(nil).say(
        SpokenText("a"), .init(voice: "en", wordsAMinute: 175), rate: 44_100, until: SpeechProgram.Interruption())
    }
    #expect(fault.code == "A-220" && fault.kind == .missing && fault.message.contains("in the package espeak-ng"))
    let gone = try faultOf {
      try SpeechProgram(["/nowhere/espeak-ng"]).say(
        SpokenText("a"), .init(voice: "en", wordsAMinute: 175), rate: 44_100, until: SpeechProgram.Interruption())
    }
    #expect(gone.code == "A-222")
  }

  private func isGone(_ reader: MadeUpReader) throws -> Bool {
    let pid = try #require(pid_t(reader.read("pid").dropLast()))
    return kill(pid, 0) != 0
  }
}

@Suite("eSpeak NG itself", .enabled(if: ChildProcess.find(SpeechProgram.name) != nil, "espeak-ng is not installed"))
struct RealSpeechTests {
  private func say(_ text: String, _ voice: String, words: Int = 175, rate: Int32 = 44_100) throws -> [Int16] {
    let samples = try SpeechProgram().say(
      SpokenText(text), .init(voice: voice, wordsAMinute: words), rate: rate, until: SpeechProgram.Interruption())
    return try #require(samples)
  }

  private func seconds(_ samples: [Int16], rate: Double = 44_100) -> Double { Double(samples.count) / rate }

  @Test(
    "reads in each of the panel's languages, audibly and about as long as a person would",
    arguments: [
      ("en", "Recently added"), ("de", "Zuletzt gehört"), ("fr", "File d’attente"), ("es", "Lista de reproducción"),
      ("ja", "せってい"), ("ar", "قائمة الانتظار"),
    ])
  func languages(voice: String, text: String) throws {
    let samples = try say(text, voice)
    #expect((0.3...4).contains(seconds(samples)), "\(seconds(samples)) s")
    let peak = samples.map { abs(Int($0)) }.max() ?? 0
    #expect(peak > 3_000, "\(peak)")
    let loud = samples.filter { abs(Int($0)) > 500 }.count
    #expect(loud > samples.count / 20)
  }

  @Test("reads faster when it is asked to")
  func faster() throws {
    let text = "The quick brown fox jumps over the lazy dog"
    #expect(seconds(try say(text, "en", words: 300)) < 0.8 * seconds(try say(text, "en", words: 120)))
  }

  @Test("takes nothing of a title for an order")
  func noOrders() throws {
    // As an option each would be over before a word; as phonemes or markup nothing of it would be read out.
    #expect(seconds(try say("--version --help -h", "en")) > 1)
    #expect(seconds(try say("<speak><break time='9s'/></speak>", "en")) > 1.5)
    #expect(try say("\u{1}400s hello", "en") == say("400s hello", "en"))
    #expect(try say("[[h@l'oU]]", "en") == say("((h@l'oU))", "en"))
  }

  @Test("what takes it minutes to read is read for half a minute, and is no fault")
  func endless() throws {
    for (text, voice) in [(String(repeating: "7", count: 200), "en"), (String(repeating: "漢", count: 200), "ja")] {
      let samples = try say(text, voice, words: 80)
      #expect((29...30.1).contains(seconds(samples)), "\(seconds(samples)) s")
      #expect(samples.last == 0 && samples.suffix(2).allSatisfy { abs(Int($0)) < 300 })
    }
  }

  @Test("without a voice of that name it ends, and says so")
  func voice() throws {
    #expect(try faultOf { _ = try say("hello", "nobody") }.code == "A-223")
  }
}
