internal import CLinux

/// The program's own code, of which a start and an import run more than playing does.
package enum ResidentCode {
  /// Code that is not run again is not mapped any more, so the kernel may take its memory for others without asking who
  /// uses it. What is run comes back by itself, from memory as long as it is there.
  package static func letGo() { layby_let_go_of_code() }
}
