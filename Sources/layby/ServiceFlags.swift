import Runtime
import Services

/// What depots say of flags, kept for the next start: what makes a program fall over at its start can be taken back by its
/// service before that. It lives on the main loop.
@MainLoop
final class ServiceFlags {
  /// In the order in which depots stand in the owner's file: of two that contradict each other the first is heard.
  private var said: [(source: String, words: [Flags.Word])]
  private let chosen: ChosenSettings
  private let file: FilePath
  private let loop: EventLoop
  private let log = Log("layby")

  init(_ chosen: ChosenSettings, of sources: [String], in state: FilePath, on loop: EventLoop) {
    (self.chosen, self.loop) = (chosen, loop)
    file = Self.file(in: state)
    let kept = Self.kept(in: state)
    said = sources.map { source in (source, kept.filter { $0.source == source }.map(\.word)) }
  }

  /// Asks each depot that is signed in to. One that does not answer has said what it said before.
  func ask(_ depots: [DepotClient]) async {
    for depot in depots {
      do throws(MediaFailure) {
        let words = try await depot.perform { client async throws(MediaFailure) in try await client.flags() }
        await take(words, from: depot.id)
      } catch { log.info("no word on flags", ["source": depot.id, "reason": error.fault.message]) }
    }
  }

  /// Nobody is signed in there any more.
  func forget(_ source: String) async { await take([], from: source) }

  private func take(_ words: [Flags.Word], from source: String) async {
    guard let index = said.firstIndex(where: { $0.source == source }), said[index].words != words else { return }
    said[index].words = words
    chosen.hear(said.flatMap(\.words))
    log.notice("flags of a service", ["source": source, "flags": JSON.list(words.map { JSON($0.flag) })])
    let lines = said.flatMap { one in one.words.map { Kept(source: one.source, word: $0).json } }
    let (file, bytes) = (file, JSON.list(lines).bytes)
    let written = await loop.perform { Result { () throws(Fault) in try AtomicFile.replace(file, with: bytes) } }
    if case .failure(let fault) = written {
      log.warning("what a service says of flags is not kept", ["reason": fault.message])
    }
  }

  // MARK: The file

  private struct Kept {
    let source: String
    let word: Flags.Word

    init(source: String, word: Flags.Word) { (self.source, self.word) = (source, word) }

    init?(_ json: JSON) {
      guard let source = json["source"]?.string, let flag = json["flag"]?.string, let isOn = json["on"]?.truth else {
        return nil
      }
      (self.source, word) = (source, Flags.Word(flag, isOn: isOn))
    }

    var json: JSON { ["source": JSON(source), "flag": JSON(word.flag), "on": JSON(word.isOn)] }
  }

  nonisolated private static let longest = 256 << 10

  nonisolated private static func file(in state: FilePath) -> FilePath { state / "service-flags.json" }

  /// What services of these names said when they were last asked, for a start.
  nonisolated static func words(of sources: [String], in state: FilePath) -> [Flags.Word] {
    let kept = kept(in: state)
    return sources.flatMap { source in kept.filter { $0.source == source }.map(\.word) }
  }

  /// Nothing where nothing is kept or it cannot be read: then features are as they begin.
  nonisolated private static func kept(in state: FilePath) -> [Kept] {
    do throws(Fault) {
      let bytes = try AtomicFile.read(file(in: state), limit: longest)
      let json = try JSON(parsing: bytes, limits: .init(depth: 3, size: longest, values: 10_000))
      return (json.items ?? []).compactMap { Kept($0) }
    } catch { return [] }
  }
}
