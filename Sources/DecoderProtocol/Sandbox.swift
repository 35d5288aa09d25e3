internal import CSandbox

/// What a process gives up before it looks at foreign bytes.
package enum Sandbox {
  /// From here on this process can read and write what it has open, use memory it is given, tell the time and end; what
  /// else it asks of the kernel is its death by SIGSYS. It dies with the thread that started it. 0, or an errno when the
  /// kernel refuses: then nothing may be trusted to it.
  package static func enter() -> Int32 { layby_sandbox_enter() }

  /// For the keeper of keys, which looks at what a hole in the player may have sent: besides the above it can use files
  /// below `folder`, where the kernel has Landlock, and the sockets that it has. `mayConnect`: it reaches its TPM by a
  /// socket, and may make some. It outlives who started it.
  package static func enterAsKeeper(of folder: Int32, mayConnect: Bool) -> Int32 {
    layby_sandbox_keep(folder, mayConnect ? 1 : 0)
  }

  /// Whether the kernel has Landlock. To be asked before anything is shut in.
  package static var canCloseFiles: Bool { layby_sandbox_closes_files() == 1 }

  /// For the proof: tries what nobody in there may do ("open", "socket", "exec", "fork", "execmem", "kill"), and returns
  /// only when it was not stopped; whether it was done all the same, or refused.
  @discardableResult
  package static func attempt(_ what: String) -> Bool { layby_sandbox_try(what) > 0 }
}
