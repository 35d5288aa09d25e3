import Glibc
import Runtime

/// Why a sound device cannot be opened, in words for its owner.
enum ALSAFault {
  static func opening(_ device: String, errno number: Int32) -> Fault {
    let isMissing = [ENOENT, ENODEV, ENXIO].contains(number)
    // To ALSA a card that may not be opened is a card that is not there.
    if number == EACCES || number == EPERM || isMissing && cardsAreForbidden {
      return Fault(
        .denied, "A-151", "the sound device \(device) may not be used; its user belongs into the group audio")
    }
    if number == EBUSY { return Fault(.busy, "A-150", "the sound device \(device) is in use by another program") }
    if isMissing { return Fault(.missing, "A-152", "there is no sound device \(device)") }
    return .system("A-153", doing: "open the sound device \(device)", errno: number)
  }

  /// There are cards, and not one of them is for us.
  private static var cardsAreForbidden: Bool {
    let folder = FilePath("/dev/snd")
    let names: [FilePath]
    do throws(Fault) { names = try Folder.names(in: folder) } catch { return error.kind == .denied }
    let cards = names.map { folder / $0.description }.filter { $0.name.description.hasPrefix("controlC") }
    return !cards.isEmpty && cards.allSatisfy { $0.withCString { access($0, R_OK | W_OK) } != 0 }
  }
}
