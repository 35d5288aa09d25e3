import Runtime

/// What a device says of itself to its depot, which may refuse licences by it.
package struct DeviceIntegrity: Equatable, Sendable {
  package enum Root: String, Sendable {
    /// The kernel checks each block of it as it is read.
    case verified
    /// Read-only, and not checked.
    case unverified
    /// A system that others have made.
    case unknown
  }

  /// Which program on which system.
  package let image: String
  package let root: Root
  /// A debugger is attached to the program.
  package let isTraced: Bool

  package init(image: String, root: Root, isTraced: Bool) {
    (self.image, self.root, self.isTraced) = (image, root, isTraced)
  }

  var json: JSON { ["image": JSON(image), "root": JSON(root.rawValue), "traced": JSON(isTraced)] }
}
