import Canvas
import Runtime

/// The letters of the panel. At the start the first font of each weight is opened, and the others when a letter needs
/// them. Lives on the main loop.
package struct PanelType {
  let regular: Typeface
  let bold: Typeface

  /// Of each list a later file serves the letters that those before it lack. Without one of the two weights the other
  /// is used for both; without any there is no panel.
  package init(
    regular: [FilePath] = [Inter.regular, DejaVu.regular], bold: [FilePath] = [Inter.semiBold, DejaVu.bold]
  ) throws(Fault) {
    let library = try TypeLibrary()
    let light = Self.open(regular + bold, in: library, "regular")
    let heavy = Self.open(bold + regular, in: library, "bold")
    guard let light, let heavy else {
      let names = (regular + bold).map(\.description).joined(separator: ", ")
      throw Fault(
        .missing, "N-110", "no font of \(names) can be opened; the packages fonts-inter and fonts-dejavu-core have some"
      )
    }
    self.regular = light
    self.bold = heavy
  }

  /// The first that opens, and those behind it for what it lacks.
  private static func open(_ all: [FilePath], in library: TypeLibrary, _ weight: String) -> Typeface? {
    // What serves both weights is in both lists.
    let files = all.enumerated().filter { index, file in !all[..<index].contains(file) }.map(\.element)
    for index in files.indices {
      do throws(Fault) {
        return try library.typeface(files[index], fallbacks: Array(files[(index + 1)...]))
      } catch {
        Log("panel").warning("a font cannot be used", ["weight": weight, "reason": error.message])
      }
    }
    return nil
  }
}
