import Glibc
import HTTP
import Runtime

/// Hosts that asked to be reached by TLS only.
extension Storage {
  private var strictHostsFile: FilePath { path / "strict-hosts" }

  /// What is not there or cannot be read costs one question without TLS at most, for the hosts ask again.
  func strictHosts() async -> StrictHosts {
    let file = strictHostsFile
    return await loop.perform {
      do throws(Fault) {
        return StrictHosts(
          parsing: try AtomicFile.read(file, limit: StrictHosts.longestFile), now: Int64(time(nil)))
      } catch {
        if error.kind != .missing { Log("layby").warning("strict hosts are unknown", ["reason": error.message]) }
        return StrictHosts()
      }
    }
  }

  func keep(_ hosts: StrictHosts) async {
    let (file, bytes) = (strictHostsFile, hosts.bytes)
    await loop.perform {
      do throws(Fault) { try AtomicFile.replace(file, with: bytes) } catch {
        Log("layby").warning("strict hosts are not kept", ["reason": error.message])
      }
    }
  }
}
