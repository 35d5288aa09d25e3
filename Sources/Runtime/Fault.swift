internal import CLinux
import Glibc

/// The one error type of the house. It is made where the error arises, because only there is it known whether
/// trying again can help; `kind` carries that upwards, `code` is what a person reads out, `message` is the sentence
/// they see: what happened, to which file, line, key or device, and what was expected.
package struct Fault: Error, Equatable, Sendable {
  package enum Kind: String, Sendable {
    /// Trying again may help, with nothing changed.
    case passing
    /// It is not there (a file, a device, a folder); it may come back.
    case missing
    /// We are not allowed to.
    case denied
    /// What we were given makes no sense.
    case malformed
    /// It makes sense, and we cannot do it.
    case unsupported
    /// No space is left.
    case full
    /// What we stored ourselves is not as we left it.
    case damaged
    /// Somebody else has it.
    case busy
  }

  package let kind: Kind
  /// A letter for the room and a number: `A-101`.
  package let code: String
  package let message: String

  package init(_ kind: Kind, _ code: String, _ message: String) {
    self.kind = kind
    self.code = code
    self.message = message
  }

  /// What the kernel said of `doing` ("open /media/stick/a.flac").
  package static func system(_ code: String, doing: String, errno number: Int32 = errno) -> Fault {
    Fault(kind(of: number), code, "cannot \(doing): \(describe(number))")
  }

  package static func describe(_ number: Int32) -> String {
    var text = [CChar](repeating: 0, count: 128)
    guard strerror_r(number, &text, text.count) == 0 else { return "error \(number)" }
    return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  private static func kind(of number: Int32) -> Kind {
    switch number {
    case ENOENT, ENODEV, ENXIO, ENOTDIR, ENOTCONN, ECONNREFUSED: .missing
    case EACCES, EPERM, EROFS: .denied
    case ENOSPC, EDQUOT, EFBIG: .full
    case EBUSY, EADDRINUSE, ETXTBSY: .busy
    case EINVAL, EISDIR, ENAMETOOLONG, ELOOP: .malformed
    case ENOSYS, EOPNOTSUPP: .unsupported
    case EIO, EBADMSG: .damaged
    default: .passing
    }
  }
}

extension Fault: CustomStringConvertible {
  package var description: String { "\(message) (\(code))" }
}
