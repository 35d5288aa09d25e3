import Glibc
import Library
import Remote
import Runtime

/// `layby import PATH`: begins it, and shows how far it is until it has ended. Who goes away meanwhile stops nothing.
func followImport(_ request: Request, _ client: PatientClient, _ options: Options) throws(Fault) -> Int32 {
  let isShown = !options.has("--json") && isatty(STDOUT_FILENO) == 1
  var answer = try client.ask(request)
  if let fault = Response.fault(in: answer) { throw fault }
  while answer["running"]?.truth == true {
    if isShown { show("\r\u{1B}[K" + importWords(answer)) }
    usleep(300_000)
    answer = try client.ask(Request(verb: "import"))
  }
  if isShown { show("\r\u{1B}[K") }
  if let fault = answer["fault"] {
    throw Fault(.passing, fault["code"]?.string ?? "X-181", fault["message"]?.string ?? "the import ended early")
  }
  print(options.has("--json") ? answer.description : importWords(answer))
  return EX_OK
}

func show(_ text: String) {
  print(text, terminator: "")
  fflush(nil)
}

func importWords(_ answer: JSON) -> String {
  guard let now = answer["import"] else {
    return answer["running"]?.truth == true ? "beginning" : "nothing was imported yet"
  }
  let (files, of) = (now["files"]?.whole ?? 0, now["of"]?.whole ?? 0)
  if answer["running"]?.truth != true {
    let unreadable = now["unreadable"]?.whole ?? 0
    let unplayable = now["unplayable"]?.whole ?? 0
    let deep = now["folders_too_deep"]?.whole ?? 0
    return "\(files) files, \(now["read"]?.whole ?? 0) of them read"
      + (unreadable > 0 ? ", \(unreadable) cannot be read (layby library problems)" : "")
      + (deep > 0 ? ", folders left out: \(deep) (deeper than \(Walk.deepest), or too many)" : "")
      + (unplayable > 0 ? ", \(unplayable) left out (only layby-decode plays them, and it is not installed)" : "")
  }
  if now["phase"]?.string == "counting" { return "counting: \(of)" }
  let left = now["left_s"]?.double.map { ", \(Int($0)) s left" } ?? ""
  return "\(files) of \(of)\(left)"
}
