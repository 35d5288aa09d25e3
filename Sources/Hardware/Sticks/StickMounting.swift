/// When the file system of a stick is mounted. A malicious stick can attack the kernel as soon as it is.
package enum StickMounting: String, Equatable, Sendable {
  case atOnce = "at_once"
  case afterYes = "ask"
  case never
}
