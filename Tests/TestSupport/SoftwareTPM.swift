import Glibc
import Runtime

/// A TPM in software (swtpm), in a folder of its own. It is gone when the test lets go of it; what it has sealed and counted
/// is in the folder.
package final class SoftwareTPM {
  /// The program, and the way to it for tpm2-tss.
  package static var isThere: Bool {
    let folders = ["x86_64-linux-gnu", "aarch64-linux-gnu"]
    let libraries = folders.map { "/usr/lib/\($0)/libtss2-tcti-swtpm.so.0" }
    return access("/usr/bin/swtpm", X_OK) == 0 && libraries.contains { access($0, R_OK) == 0 }
  }

  private let process: ChildProcess
  /// As `[rights] tpm` takes it.
  package let address: String

  /// `answers`: whether there is a TPM at an address.
  package init(in folder: FilePath, _ answers: (String) -> Bool) throws {
    try Folder.make(folder)
    for _ in 0..<20 {
      // tpm2-tss asks for its control channel at the port behind.
      let port = Int.random(in: 20_000...60_000)
      var surroundings = SpawnOptions(output: folder / "out", processGroup: .ownGroup)
      surroundings.errors = .end(of: folder / "log")
      let process = try ChildProcess(
        [
          "/usr/bin/swtpm", "socket", "--tpm2", "--tpmstate", "dir=\(folder)", "--server", "type=tcp,port=\(port)",
          "--ctrl", "type=tcp,port=\(port + 1)", "--flags", "not-need-init,startup-clear",
        ], in: surroundings)
      let address = "swtpm:host=127.0.0.1,port=\(port)"
      let until = Moment.now + .seconds(10)
      // It ends at once where the port is another's.
      while Moment.now < until, !process.hasEnded {
        guard !answers(address) else {
          (self.process, self.address) = (process, address)
          return
        }
        usleep(20_000)
      }
    }
    throw Fault(.unsupported, "T-69", "swtpm does not start; \(folder)/log may say why")
  }

  deinit { process.end() }
}
