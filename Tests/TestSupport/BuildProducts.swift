import Glibc
import Runtime

/// Where the programs lie that were built with the tests: beside them.
package enum BuildProducts {
  package static let folder: FilePath = {
    var space = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &space, space.count - 1)
    return FilePath(bytes: space.prefix(max(count, 0)).map { UInt8(bitPattern: $0) })?.folder ?? FilePath(".")
  }()
}
