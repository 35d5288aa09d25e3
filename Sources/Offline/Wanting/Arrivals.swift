import Runtime
import Services

/// Whole files that the program does not know of yet. It is told of one after the other. Lives on the loop `offline`,
/// inside `OfflinePart`.
///
/// That the program knows of a file is stored in its row, behind that. After a power cut in between it is told once more.
final class Arrivals {
  private let tools: OfflineTools
  private let wanted: WantedItems
  private let covers: CoverFetcher
  /// Something is there to be played; the next is told of when it has returned.
  private let whole: @Sendable (WholeItem) async -> Void
  private var waiting: [DownloadRecord] = []
  private var isTelling = false

  init(
    _ tools: OfflineTools, _ wanted: WantedItems, _ covers: CoverFetcher,
    whole: @escaping @Sendable (WholeItem) async -> Void
  ) {
    (self.tools, self.wanted, self.covers, self.whole) = (tools, wanted, covers, whole)
  }

  var isEmpty: Bool { waiting.isEmpty }

  func add(_ record: DownloadRecord) {
    waiting.append(record)
    guard !isTelling else { return }
    isTelling = true
    tools.tasks.start { part in await part.arrivals.tell() }
  }

  private func tell(isolation: isolated (any Actor)? = #isolation) async {
    while !waiting.isEmpty {
      let record = waiting.removeFirst()
      let item = record.key.item
      covers.want([await wanted.catalogue.remember(whole: record)].compactMap(\.self))
      await wanted.settle(item)
      await dropLesserCache(of: record)
      // Kept from streaming, or given up meanwhile: nobody looks for it.
      guard let path = record.path, wanted.wants.key(of: item) == record.key else { continue }
      let facts = await wanted.catalogue.stored([item])[item]
      await whole(WholeItem(record.key, at: FilePath(path), facts))
      await tools.engine.entered(record.key)
    }
    isTelling = false
    tools.tasks.start { part in await part.covers.fetchMissing(behind: part.arrivals) }
  }

  /// Nobody hears that again.
  private func dropLesserCache(of whole: DownloadRecord, isolation: isolated (any Actor)? = #isolation) async {
    guard wanted.wants.key(of: whole.key.item) == nil else { return }
    for quality in Quality.allCases where quality < whole.key.quality {
      await tools.engine.dropUnheardCache(whole.key.item.at(quality))
    }
  }
}
