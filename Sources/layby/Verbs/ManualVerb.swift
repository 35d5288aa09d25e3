import Glibc
import Runtime

/// `layby manual`: what people, editors and shells read about the program, made from the tables that it works by.
func printManual(_ arguments: [String]) throws(Fault) -> Int32 {
  let options = try Options(arguments, checkedFor: ProgramVerb.manual)
  switch options.others[0] {
  case "man": print(ManualPage.page, terminator: "")
  case "settings": print(SettingsReference.page(of: .all))
  default: print(BashCompletion.script, terminator: "")
  }
  return EX_OK
}
