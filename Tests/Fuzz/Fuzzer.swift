import Glibc

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ try: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// The toolchain's libFuzzer, started by us instead of starting us: so one program holds all entries.
enum Fuzzer {
  /// C's callback cannot carry it. Set once, before libFuzzer begins, and only read afterwards.
  nonisolated(unsafe) private static var entry: Entry = { _ in }

  static func run(_ chosen: @escaping Entry, arguments: [String]) -> Int32 {
    entry = chosen
    var count = Int32(arguments.count)
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    // libFuzzer keeps and changes what it is given; it lives as long as the program.
    let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: words.count)
    list.initialize(from: words, count: words.count)
    var start: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = list
    return runDriver(&count, &start) { bytes, length in
      Fuzzer.entry(Array(UnsafeBufferPointer(start: bytes, count: length)))
      return 0
    }
  }
}
