import Runtime

/// What a person did to the board, whatever they did it with: a knob on GPIO lines, a wheel of an input device, a key
/// of the terminal, or `layby press`. Hardware sends it upwards; what it means there is the panel's to say.
package enum Input: Equatable, Sendable {
  /// So many detents, clockwise when positive.
  case turn(Int)
  /// It went down.
  case press(Button)
  /// And up again. Who cannot see that tells of both at once.
  case release(Button)
  /// From somebody who has no finger to hold it with.
  case longPress(Button)
  /// Something else begins to sound, or is over: no person's doing.
  case otherSound(Bool)
  case touch(Touch)
  /// The car's key is turned, or its line only swings; each edge as the kernel saw it. No person's doing either.
  case ignition(Bool, at: Moment)
  /// Only whoever sits at the desk can ask for it.
  case quit
}

/// Buttons by what is printed on them. Their names are those of `layby press NAME` and of board.conf.
package enum Button: String, CaseIterable, Sendable {
  /// The switch under the knob.
  case knob
  case play, next, previous, forward, rewind
  case back, home
  case louder, quieter, mute
  case help
  case power

  package var name: String { rawValue }

  /// Nil when no button is called so.
  package init?(named name: String) { self.init(rawValue: name.lowercased()) }
}
