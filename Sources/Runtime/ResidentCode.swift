internal import CLinux

/// The program's own code, of which a start and an import run more than playing does.
package enum ResidentCode {
  /// Code that is not run again is not ours any more: the kernel may have its memory at once, where it otherwise finds
  /// out much later that nobody looks at it. What is run comes back page by page, from memory where there is enough.
  package static func letGo() { layby_let_go_of_code() }
}
