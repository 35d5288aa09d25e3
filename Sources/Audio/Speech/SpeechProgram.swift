import Glibc
import Runtime

/// The program that reads words aloud, which may be there or not. It is started for each of them, with the text on its
/// standard input, says a WAV file and is gone; one that hangs or breaks is ended, and costs its own words; of one that
/// goes on and on the beginning is heard. It never touches the sound device: what it says is mixed into our own stream.
package struct SpeechProgram: Sendable {
  package static let name = "espeak-ng"
  /// Of Debian, in which it comes.
  package static let package = "espeak-ng"

  package struct Manner: Equatable, Sendable {
    package var voice: String
    package var wordsAMinute: Int

    package init(voice: String, wordsAMinute: Int) { (self.voice, self.wordsAMinute) = (voice, wordsAMinute) }
  }

  /// The program's first words; nil while none is installed.
  let find: @Sendable () -> [String]?
  /// So long it may take for one text.
  var patience: Duration = .seconds(5)
  /// Of all that it says: half a minute of most voices. Numbers and foreign letters, one by one, take minutes.
  var mostBytes = 22_050 * 2 * 30

  package init() { find = { ChildProcess.find(Self.name).map { [$0] } } }

  init(_ words: [String]?) { find = { words } }

  /// By which it is told to give up, at any time and from any thread.
  package final class Interruption: Sendable {
    let bell: Bell
    package init() throws(Fault) { bell = try Bell() }
    package func ring() { bell.ring() }
  }

  /// At `rate`, one channel. Nil when it was interrupted. Waits for the program, so it is called on no loop.
  package func say(
    _ text: SpokenText, _ manner: Manner, rate: Int32, until interruption: Interruption
  ) throws(Fault) -> [Int16]? {
    guard let words = find() else { throw Self.missing }
    let process = try SpeechProcess(words + Self.options(manner), reading: text)
    let said = try process.listen(until: .now + patience, or: interruption, mostBytes: mostBytes)
    process.end()
    guard let said else { return nil }
    var samples = try Self.samples(said.bytes, rate: rate)
    if said.goesOn { SoundOverlay.endSoftly(&samples, rate: rate) }
    return samples
  }

  package static var missing: Fault {
    Fault(.missing, "A-220", "\(name), which reads the panel aloud, is not installed; it is in the package \(package)")
  }

  /// UTF-8, no pause at the end, no markup.
  static func options(_ manner: Manner) -> [String] {
    ["-v", manner.voice, "-s", "\(manner.wordsAMinute)", "-b", "1", "-z", "--stdin", "--stdout"]
  }

  static func failed(_ why: String) -> Fault {
    Fault(.damaged, "A-223", "\(name) cannot read this aloud: \(why)")
  }

  // MARK: What it said

  /// A voice has some rate between these, and one side or two.
  private static let rates: ClosedRange<Int32> = 8_000...48_000

  static func samples(_ bytes: [UInt8], rate: Int32) throws(Fault) -> [Int16] {
    let decoder: any Decoder = try PCMDecoder(wave: HeldBytes(bytes, named: name))
    guard rates.contains(decoder.format.sampleRate) else {
      throw failed("it speaks at \(decoder.format.sampleRate) Hz")
    }
    let fitted = decoder.format.sampleRate == rate ? decoder : try ResampledDecoder(decoder, rate: rate)
    return try all(of: fitted)
  }

  private static func all(of decoder: any Decoder) throws(Fault) -> [Int16] {
    var samples: [Int16] = []
    let helping = 4_096
    let frames = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * helping)
    frames.initialize(repeating: 0, count: 2 * helping)
    defer { frames.deallocate() }
    while true {
      let count = try decoder.read(into: frames, count: helping)
      if count == 0 { break }
      for frame in 0..<count {
        // To the nearest; what has 16 bits stays as it is.
        let sample = Int64(frames[2 * frame]) + (1 << 15)
        samples.append(Int16(clamping: sample >> 16))
      }
    }
    return samples
  }
}
