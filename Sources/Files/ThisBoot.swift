import Runtime

/// Which start of the machine this is: what was under way when the program ended is only to blame when the machine went
/// on.
package enum ThisBoot {
  /// Empty where it cannot be read; then no end of the program is anything's fault.
  package static func id() -> [UInt8] {
    do throws(Fault) { return try AtomicFile.read(FilePath("/proc/sys/kernel/random/boot_id"), limit: 256) } catch {
      return []
    }
  }
}
