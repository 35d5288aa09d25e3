import Runtime
import Store

extension Catalogue {
  /// What one transaction takes: it is there or not, and a reader waits no longer than for these.
  package static let largestBatch = 500

  /// All of them or none. Their ids are in the order of the batch. The same files in the same batches make the same
  /// catalogue, broken off or not.
  @discardableResult
  package func store(_ batch: [Found], today: Int64) throws(Fault) -> [Int64] {
    guard batch.count <= Self.largestBatch else {
      throw Fault(.malformed, "L-303", "\(batch.count) files in one batch; \(Self.largestBatch) is the limit")
    }
    return try write { writer throws(Fault) in
      var ids: [Int64] = []
      for found in batch { ids.append(try writer.store(found, today: today)) }
      return ids
    }
  }
}
