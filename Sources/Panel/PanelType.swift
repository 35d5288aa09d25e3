import Canvas
import Runtime

/// The letters of the panel, opened once at start. Lives on the deck.
package struct PanelType {
  let regular: Typeface
  let bold: Typeface

  /// Without one of the two weights the other is used for both; without any there is no panel.
  package init(
    regular: FilePath = DejaVu.regular, bold: FilePath = DejaVu.bold, fallbacks: [FilePath] = []
  ) throws(Fault) {
    let library = try TypeLibrary()
    do {
      self.regular = try library.typeface(regular, fallbacks: fallbacks)
    } catch {
      Log("panel").warning("no regular letters", ["reason": error.description])
      self.regular = try library.typeface(bold, fallbacks: fallbacks)
    }
    do {
      self.bold = try library.typeface(bold, fallbacks: [regular] + fallbacks)
    } catch {
      Log("panel").warning("no bold letters", ["reason": error.description])
      self.bold = self.regular
    }
  }
}
