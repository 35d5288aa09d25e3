/// When a stick's file system is given to the kernel, which is where a stick made for it attacks.
package enum StickMounting: String, Equatable, Sendable {
  case atOnce = "at_once"
  case afterYes = "ask"
  case never
}
