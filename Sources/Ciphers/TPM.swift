internal import CTPM
import Runtime
import Synchronization

/// A TPM 2.0: a chip, or a part of the processor, that seals a secret so that no other computer opens it, and has counters
/// that nobody can turn back. It is asked for at the start and when something is stored, on any thread.
package final class TPM: Sendable {
  /// A secret as the TPM gives it out: of no use without it.
  package struct Sealed: Equatable, Sendable {
    package let publicHalf: [UInt8]
    package let privateHalf: [UInt8]

    package init(publicHalf: [UInt8], privateHalf: [UInt8]) {
      (self.publicHalf, self.privateHalf) = (publicHalf, privateHalf)
    }
  }

  /// Where one of its counters lies in its own memory.
  package struct Counter: Equatable, Sendable {
    package let index: UInt32

    package init?(index: Int64) {
      guard let index = UInt32(exactly: index), Self.indices.contains(index) else { return nil }
      self.index = index
    }

    fileprivate static func random() -> Counter {
      let chance = randomBytes(2).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return Counter(unchecked: indices.lowerBound + chance)
    }

    private init(unchecked index: UInt32) { self.index = index }

    /// The TPM keeps these indices for the owner of the computer.
    private static let indices: ClosedRange<UInt32> = 0x0181_0000...0x0181_FFFF
  }

  // tpm2-tss's, which takes one question at a time: used inside `lock.withLock` alone.
  nonisolated(unsafe) private let context: UnsafeMutableRawPointer
  private let lock = Mutex(())

  /// `tcti` says where it is, in tpm2-tss's words: `device:/dev/tpmrm0`.
  package init(_ tcti: String) throws(Fault) {
    guard layby_tpm_load() == 1 else {
      throw Fault(
        .missing, "Y-120", "[rights] tpm names a TPM, and tpm2-tss (libtss2-esys, libtss2-tctildr) is not installed")
    }
    var opened: UnsafeMutableRawPointer?
    let code = layby_tpm_open(tcti, &opened)
    guard code == 0, let opened else {
      throw Fault(.missing, "Y-121", "the TPM \(shownBriefly(tcti)) does not answer (\(Self.number(code)))")
    }
    context = opened
  }

  deinit { layby_tpm_close(context) }

  package func seal(_ secret: borrowing Secret) throws(Fault) -> Sealed {
    var sealed = layby_sealed()
    let code = try secret.withBytes { bytes in
      lock.withLock { _ in
        layby_tpm_seal(context, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count, &sealed)
      }
    }
    guard code == 0 else { throw Self.fault("Y-122", "seal the device's secret", code) }
    let (publicCount, privateCount) = (sealed.public_count, sealed.private_count)
    return Sealed(
      publicHalf: Self.bytes(&sealed.public_half, publicCount),
      privateHalf: Self.bytes(&sealed.private_half, privateCount))
  }

  /// The secret, which has `count` bytes. Refused for one that another TPM has sealed, or this one before it was cleared.
  package func unseal(_ sealed: Sealed, count: Int) throws(Fault) -> Secret {
    var halves = layby_sealed()
    guard sealed.publicHalf.count <= Int(layby_tpm_most),
      sealed.privateHalf.count <= Int(layby_tpm_most)
    else { throw Self.fault("Y-123", "open the device's secret", 0) }
    (halves.public_count, halves.private_count) = (sealed.publicHalf.count, sealed.privateHalf.count)
    withUnsafeMutableBytes(of: &halves.public_half) { $0.copyBytes(from: sealed.publicHalf) }
    withUnsafeMutableBytes(of: &halves.private_half) { $0.copyBytes(from: sealed.privateHalf) }
    return try Secret(count: count) { space throws(Fault) in
      let code = lock.withLock { _ in
        layby_tpm_unseal(context, &halves, space.assumingMemoryBound(to: UInt8.self).baseAddress, space.count)
      }
      guard code == 0 else { throw Self.fault("Y-123", "open the device's secret", code) }
    }
  }

  // MARK: Counters

  package func makeCounter() throws(Fault) -> Counter {
    var code: layby_tpm_code = 0
    // An index is chosen by chance; few of the 65,536 are taken, so 16 tries are enough.
    for _ in 0..<16 {
      let counter = Counter.random()
      var isTaken: Int32 = 0
      code = lock.withLock { _ in layby_tpm_make_counter(context, counter.index, &isTaken) }
      if code == 0 { return counter }
      if isTaken == 0 { break }
    }
    throw Self.fault("Y-124", "make a counter", code)
  }

  package func read(_ counter: Counter) throws(Fault) -> UInt64 {
    var value: UInt64 = 0
    let code = lock.withLock { _ in layby_tpm_read_counter(context, counter.index, &value) }
    guard code == 0 else { throw Self.fault("Y-125", "read its counter", code) }
    return value
  }

  /// Adds one.
  package func count(_ counter: Counter) throws(Fault) {
    let code = lock.withLock { _ in layby_tpm_count(context, counter.index) }
    guard code == 0 else { throw Self.fault("Y-126", "count", code) }
  }

  package func remove(_ counter: Counter) throws(Fault) {
    let code = lock.withLock { _ in layby_tpm_remove_counter(context, counter.index) }
    guard code == 0 else { throw Self.fault("Y-127", "remove its counter", code) }
  }

  private static func fault(_ code: String, _ doing: String, _ number: layby_tpm_code) -> Fault {
    Fault(.denied, code, "the TPM did not \(doing) (\(Self.number(number)))")
  }

  /// As tpm2_rc_decode takes it.
  private static func number(_ code: layby_tpm_code) -> String { "0x\(String(code, radix: 16))" }

  private static func bytes<Half>(_ half: inout Half, _ count: Int) -> [UInt8] {
    withUnsafeBytes(of: &half) { [UInt8]($0.prefix(count)) }
  }
}
