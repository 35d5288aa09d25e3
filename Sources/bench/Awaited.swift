import Glibc
import Runtime
import Synchronization

/// For benches of what suspends: a bench has nothing else to do meanwhile.
enum Awaited {
  static func rows(_ body: @escaping @Sendable () async throws(Fault) -> [Row]) throws(Fault) -> [Row] {
    let ended = Mutex<Result<[Row], Fault>?>(nil)
    let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    defer { semaphore.deallocate() }
    sem_init(semaphore, 0, 0)
    let address = UInt(bitPattern: semaphore)
    Task.detached {
      let result: Result<[Row], Fault>
      do throws(Fault) { result = .success(try await body()) } catch { result = .failure(error) }
      ended.withLock { $0 = result }
      if let semaphore = UnsafeMutablePointer<sem_t>(bitPattern: address) { sem_post(semaphore) }
    }
    while sem_wait(semaphore) != 0 {}
    return try ended.withLock { $0 }?.get() ?? []
  }
}
