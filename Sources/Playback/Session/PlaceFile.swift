import Glibc
import Runtime

/// Owns the file `position`: two slots, of which the newest whole one counts. Lives on the store loop, whose blocking
/// writes nobody hears. After a power cut the place is that of the last `save` that returned, or of the one that was
/// being made.
package struct PlaceFile: ~Copyable {
  private let file: Descriptor
  private let path: FilePath
  private var sequence: UInt64

  /// What was last saved, if anything can be read.
  package let saved: SavedPlace?
  /// Nothing was ever saved in it.
  package let isBlank: Bool

  package init(in folder: FilePath) throws(Fault) {
    let path = folder / "position"
    let bytes = try Self.twoSlots(at: path)
    let newest = Self.newest(of: bytes)
    let file = try Descriptor.open(path, O_RDWR, code: "P-110")
    self.path = path
    self.file = file
    saved = newest?.place
    isBlank = bytes.allSatisfy { $0 == 0 }
    sequence = newest?.sequence ?? 0
  }

  /// What was saved, where nothing can be written now.
  package static func read(in folder: FilePath) throws(Fault) -> SavedPlace? {
    newest(of: try AtomicFile.read(folder / "position", limit: 2 * PlaceSlot.size))?.place
  }

  private static func newest(of bytes: [UInt8]) -> PlaceSlot? {
    guard bytes.count == 2 * PlaceSlot.size else { return nil }
    let slots = [bytes[..<PlaceSlot.size], bytes[PlaceSlot.size...]].compactMap { PlaceSlot(bytes: $0) }
    // As a serial number: after the largest comes 0.
    return slots.max { Int64(bitPattern: $1.sequence &- $0.sequence) > 0 }
  }

  /// A new file is whole from the start: growing it later would be a second thing to make durable.
  private static func twoSlots(at path: FilePath) throws(Fault) -> [UInt8] {
    do throws(Fault) {
      let bytes = try AtomicFile.read(path, limit: 2 * PlaceSlot.size)
      if bytes.count == 2 * PlaceSlot.size { return bytes }
    } catch {
      if error.kind != .missing { Log("session").warning("cannot read the position", ["reason": error.message]) }
    }
    let empty = [UInt8](repeating: 0, count: 2 * PlaceSlot.size)
    try AtomicFile.replace(path, with: empty)
    return empty
  }

  package mutating func save(_ place: SavedPlace) throws(Fault) {
    let next = sequence &+ 1
    let bytes = PlaceSlot(sequence: next, place: place).bytes
    let offset = off_t(next % 2) * off_t(PlaceSlot.size)
    Steps.reach("place.begun")
    guard pwrite(file.number, bytes, bytes.count, offset) == bytes.count else {
      throw Fault.system("P-111", doing: "save the position in \(path)")
    }
    Steps.reach("place.written")
    guard fdatasync(file.number) == 0 else { throw Fault.system("P-112", doing: "save the position in \(path)") }
    // Only now: after a failure the same slot is tried again, and the other one, which is whole, is left alone.
    sequence = next
    Steps.reach("place.synced")
  }
}
