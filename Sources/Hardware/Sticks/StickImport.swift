import Runtime

/// What is done with the music on a stick that comes.
package enum StickImport: String, Equatable, Sendable, CaseIterable {
  case ask, always, never
}
