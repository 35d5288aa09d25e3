import Glibc
import Runtime
import Store
import TestSupport
import Testing

@Suite("State folder")
struct StateFolderTests {
  let temp = TempFolder()
  var path: FilePath { temp.path / "var" / "state" }

  @Test("it is made for its owner alone, and only one has it")
  func lock() throws {
    var first: StateFolder? = try StateFolder(taking: path)
    var status = stat()
    #expect(path.withCString { stat($0, &status) } == 0 && status.st_mode & 0o777 == 0o700)
    let fault = try faultOf { try StateFolder(taking: path) }
    #expect(fault.kind == .busy)
    #expect(fault.message == "\(path) is in use by process \(getpid())")
    first = nil
    // A program that another test starts in this moment has the lock's descriptor until it has begun.
    while (try? faultOf { try StateFolder(taking: path) })?.kind == .busy { sched_yield() }
    _ = consume first
  }

  @Test("another process that has it is named, and its death sets it free")
  func otherProcess() throws {
    do { _ = try StateFolder(taking: path) }
    // util-linux' flock holds the lock while `cat` waits for its input to end.
    var ends: [Int32] = [0, 0]
    var said: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0 && pipe(&said) == 0)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_adddup2(&actions, said[1], 1)
    for end in ends + said { posix_spawn_file_actions_addclose(&actions, end) }
    defer { posix_spawn_file_actions_destroy(&actions) }
    let words = ["flock", "\(path)/lock", "sh", "-c", "echo 4711 >\(path)/lock; echo ready; exec cat >/dev/null"]
    var arguments = words.map { strdup($0) } + [nil]
    var child: pid_t = 0
    let spawned = posix_spawnp(&child, "flock", &actions, nil, &arguments, nil)
    for argument in arguments { free(argument) }
    try #require(spawned == 0)
    close(ends[0])
    close(said[1])
    var letter: UInt8 = 0
    try #require(read(said[0], &letter, 1) == 1)
    let fault = try faultOf { try StateFolder(taking: path) }
    #expect(fault.kind == .busy && fault.message.hasSuffix("process 4711"))
    close(ends[1])
    var status: Int32 = 0
    waitpid(child, &status, 0)
    close(said[0])
    _ = try StateFolder(taking: path)
  }

  @Test("the next start knows whether the stop was clean")
  func unclean() throws {
    func start(thenStop: Bool) throws -> Bool {
      let folder = try StateFolder(taking: path)
      let unclean = folder.afterUncleanStop
      if thenStop { try folder.stopCleanly() }
      return unclean
    }
    let stops = [true, true, false, false, true, true]
    #expect(try stops.map { try start(thenStop: $0) } == [false, false, false, true, true, false])
  }

  @Test("a refused second start does not touch the mark of the first")
  func refusedLeavesMark() throws {
    let folder = try StateFolder(taking: path)
    #expect(throws: Fault.self) { _ = try StateFolder(taking: path) }
    try folder.stopCleanly()
    #expect(!(try Folder.names(in: path).map(\.description)).contains("running"))
    #expect(try StateFolder(taking: path).afterUncleanStop == false)
  }
}
