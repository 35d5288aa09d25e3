import Runtime

/// What went wrong, said in a language that has no words for the code itself: what it is about, by the code's letter, and
/// what kind of trouble it is. Of a settings file it says which line is wrong, and what was expected. The code stands
/// beside it for whoever helps; the log has the whole sentence in English.
struct FaultWords: Equatable, Sendable {
  var about: [Character: String]
  /// Where the letter is none of these.
  var other: String
  /// By `Fault.Kind`.
  var passing: String
  var missing: String
  var denied: String
  var malformed: String
  var unsupported: String
  var full: String
  var damaged: String
  var busy: String
  /// File, line, and what stands there.
  var line: String
  var tooLong: String
  var unreadable: String
  var beforeSections: String
  var nameOfSource: String
  var unknownSection: String
  var unknownKey: String
  var belongsIn: String
  var meant: String
  var twice: String
  var range: String
  var expected: String
  /// An example.
  var suchAs: String
  var wrong: String
  var more: String
  /// What happens now.
  var rest: String

  /// Without a code: "Sound: not there".
  func said(_ code: String, _ kind: Fault.Kind, of path: FilePath? = nil) -> (subject: String, trouble: String) {
    (path.map { "\($0.name)" } ?? code.first.flatMap { about[$0] } ?? other, said(kind))
  }

  private func said(_ kind: Fault.Kind) -> String {
    switch kind {
    case .passing: passing
    case .missing: missing
    case .denied: denied
    case .malformed: malformed
    case .unsupported: unsupported
    case .full: full
    case .damaged: damaged
    case .busy: busy
    }
  }

  static let german = FaultWords(
    about: [
      "A": "Ton", "C": "Einstellungen", "E": "Lizenz", "G": "Quelle", "H": "Hardware", "K": "Bild",
      "L": "Musiksammlung",
      "N": "Netzwerk", "O": "Offline-Musik", "P": "Wiedergabe", "R": "Programm", "S": "Gespeichertes",
      "X": "Auftrag", "Y": "Prüfsumme",
    ],
    other: "Gerät", passing: "gerade nicht möglich", missing: "nicht da", denied: "kein Zugriff",
    malformed: "nicht lesbar", unsupported: "wird nicht unterstützt", full: "kein Platz mehr",
    damaged: "beschädigt", busy: "anderweitig belegt", line: "%, Zeile %: %",
    tooLong: "die Datei ist zu lang", unreadable: "erwartet: [Abschnitt], Schlüssel = Wert oder # …",
    beforeSections: "davor fehlt ein Abschnitt wie [sound]",
    nameOfSource: "erwartet: ein Name wie [source kiosk]", unknownSection: "diesen Abschnitt gibt es nicht",
    unknownKey: "diesen Schlüssel gibt es nicht", belongsIn: "gehört nach %", meant: "gemeint: %?",
    twice: "steht schon in Zeile %", range: "erwartet: % bis %", expected: "erwartet: %",
    suchAs: "erwartet: so etwas wie %", wrong: "dieser Wert ist nicht möglich", more: "und % weitere",
    rest: "Alles Übrige in der Datei gilt.")

  static let french = FaultWords(
    about: [
      "A": "Son", "C": "Réglages", "E": "Licence", "G": "Source", "H": "Matériel", "K": "Image", "L": "Musique",
      "N": "Réseau", "O": "Musique hors ligne", "P": "Lecture", "R": "Programme", "S": "Données",
      "X": "Demande", "Y": "Somme de contrôle",
    ],
    other: "Appareil", passing: "impossible pour l’instant", missing: "introuvable", denied: "accès refusé",
    malformed: "illisible", unsupported: "non pris en charge", full: "plus assez de place", damaged: "endommagé",
    busy: "déjà utilisé", line: "%, ligne % : %", tooLong: "le fichier est trop long",
    unreadable: "attendu : [section], clé = valeur ou # …",
    beforeSections: "il manque avant une section comme [sound]",
    nameOfSource: "attendu : un nom comme [source kiosk]", unknownSection: "cette section n’existe pas",
    unknownKey: "cette clé n’existe pas", belongsIn: "va dans %", meant: "plutôt % ?",
    twice: "figure déjà à la ligne %", range: "attendu : de % à %", expected: "attendu : %",
    suchAs: "attendu : par exemple %", wrong: "cette valeur n’est pas possible", more: "et % autres",
    rest: "Tout le reste du fichier compte.")

  static let spanish = FaultWords(
    about: [
      "A": "Sonido", "C": "Ajustes", "E": "Licencia", "G": "Fuente", "H": "Hardware", "K": "Imagen", "L": "Música",
      "N": "Red",
      "O": "Música sin conexión", "P": "Reproducción", "R": "Programa", "S": "Datos", "X": "Petición",
      "Y": "Suma de control",
    ],
    other: "Equipo", passing: "ahora no es posible", missing: "no está", denied: "sin acceso",
    malformed: "ilegible", unsupported: "no es compatible", full: "no queda espacio", damaged: "dañado",
    busy: "en uso", line: "%, línea %: %", tooLong: "el archivo es demasiado largo",
    unreadable: "se espera: [sección], clave = valor o # …",
    beforeSections: "antes falta una sección como [sound]",
    nameOfSource: "se espera: un nombre como [source kiosk]", unknownSection: "esa sección no existe",
    unknownKey: "esa clave no existe", belongsIn: "va en %", meant: "¿quería decir %?",
    twice: "ya está en la línea %", range: "se espera: de % a %", expected: "se espera: %",
    suchAs: "se espera: por ejemplo %", wrong: "ese valor no es posible", more: "y % más",
    rest: "Todo lo demás del archivo vale.")

  static let japanese = FaultWords(
    about: [
      "A": "音声", "C": "設定", "E": "ライセンス", "G": "配信元", "H": "ハードウェア", "K": "画像", "L": "音楽", "N": "ネットワーク",
      "O": "オフラインの音楽",
      "P": "再生", "R": "プログラム", "S": "保存データ", "X": "操作", "Y": "チェックサム",
    ],
    other: "機器", passing: "今はできません", missing: "見つかりません", denied: "アクセスできません", malformed: "読み取れません",
    unsupported: "対応していません", full: "空き容量がありません", damaged: "壊れています", busy: "使用中です", line: "%の%行目：%",
    tooLong: "ファイルが長すぎます", unreadable: "[セクション]、キー = 値、# … のいずれかにします",
    beforeSections: "先に[sound]などのセクションが必要です", nameOfSource: "[source kiosk]のような名前にします",
    unknownSection: "このセクションはありません", unknownKey: "このキーはありません", belongsIn: "%に書きます", meant: "%のことですか",
    twice: "%行目にもあります", range: "%から%まで", expected: "使える値：%", suchAs: "例：%", wrong: "その値は使えません", more: "ほか%件",
    rest: "ファイルのほかの部分は有効です")

  static let arabic = FaultWords(
    about: [
      "A": "الصوت", "C": "الإعدادات", "E": "ترخيص", "G": "المصدر", "H": "العتاد", "K": "الصورة", "L": "الموسيقى",
      "N": "الشبكة", "O": "الموسيقى بلا اتصال", "P": "التشغيل", "R": "البرنامج", "S": "البيانات",
      "X": "الطلب", "Y": "المجموع الاختباري",
    ],
    other: "الجهاز", passing: "غير ممكن الآن", missing: "غير موجود", denied: "الوصول مرفوض",
    malformed: "تتعذر القراءة", unsupported: "غير مدعوم", full: "لا مساحة باقية", damaged: "تالف",
    busy: "مستخدم الآن", line: "%، السطر %: %", tooLong: "الملف أطول من اللازم",
    unreadable: "المتوقع: [قسم] أو مفتاح = قيمة أو # …", beforeSections: "ينقص قبله قسم مثل [sound]",
    nameOfSource: "المتوقع: اسم مثل [source kiosk]", unknownSection: "هذا القسم غير موجود",
    unknownKey: "هذا المفتاح غير موجود", belongsIn: "مكانه %", meant: "هل المقصود %؟",
    twice: "موجود أيضًا في السطر %", range: "المتوقع: من % إلى %", expected: "المتوقع: %",
    suchAs: "المتوقع: مثلًا %", wrong: "هذه القيمة غير ممكنة", more: "و% غيرها",
    rest: "كل ما عداه في الملف يسري.")
}

extension NoticeWords {
  /// What a trouble of a transfer is told by: of its many codes several are the same to whoever listens. The code tells
  /// whoever helps which it is.
  static func phrase(of code: String) -> String {
    switch code {
    case "O-201", "O-202", "O-203", "O-204", "O-205": "no connection"
    case "O-211", "O-212", "O-213", "O-214": "O-141"
    case "O-215": "O-133"
    case "O-220": "O-103"
    case "O-221", "O-222", "O-223", "O-233", "O-235": "O-231"
    case "O-237": "another version"
    case "O-242", "O-243", "O-244", "O-245", "O-246": "O-124"
    case "O-255": "O-144"
    case "O-299": "no name"
    // The status of an answer: `O-1503`.
    case let code where code.hasPrefix("O-1") && code.utf8.count == 6: "an error of the server"
    default: code
    }
  }
}
