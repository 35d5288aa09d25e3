internal import CLinux

/// What this process knows is for nobody else.
package enum ClosedMemory {
  /// No other program of the same user may look into this process from now on, and a crash leaves no copy of its memory.
  /// Programs that it starts are open again. Linux gives the process's files below /proc to root.
  package static func close() {
    if layby_close_memory() != 0 { Log("memory").warning("it is open to other programs of this user") }
  }
}
