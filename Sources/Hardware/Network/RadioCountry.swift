import Runtime

/// The country whose rules a radio obeys: on which channels it may send, and how loud.
package enum RadioCountry {
  /// The setting for no country: the radio uses the channels that every country allows.
  package static let anywhere = "anywhere"

  /// By ISO 3166, those that Debian's table of rules (wireless-regdb) knows.
  package static let codes: [String] = """
    AD AE AF AI AL AM AN AR AS AT AU AW AZ BA BB BD BE BF BG BH BL BM BN BO BR BS BT BY BZ CA CF CH CI CL CN CO CR CU CX \
    CY CZ DE DK DM DO DZ EC EE EG ES ET FI FM FR GB GD GE GF GH GL GP GR GT GU GY HK HN HR HT HU ID IE IL IN IR IS IT JM \
    JO JP KE KH KN KP KR KW KY KZ LB LC LI LK LS LT LU LV MA MC MD ME MF MH MK MN MO MP MQ MR MT MU MV MW MX MY NG NI NL \
    NO NP NZ OM PA PE PF PG PH PK PL PM PR PT PW PY QA RE RO RS RU RW SA SE SG SI SK SN SR SV SY TC TD TG TH TN TR TT TW \
    TZ UA UG US UY UZ VC VE VI VN VU WF WS YE YT ZA ZW
    """.split(separator: " ").map(String.init)

  /// What its people call it, which needs no translation; nil where the code has to do.
  package static func name(of code: String) -> String? { names[code] }

  private static let names = [
    "AE": "الإمارات", "AR": "Argentina", "AT": "Österreich", "AU": "Australia", "BE": "België / Belgique",
    "BG": "България", "BR": "Brasil", "CA": "Canada", "CH": "Schweiz / Suisse", "CL": "Chile", "CN": "中国",
    "CO": "Colombia", "CZ": "Česko", "DE": "Deutschland", "DK": "Danmark", "DZ": "الجزائر", "EE": "Eesti",
    "EG": "مصر", "ES": "España", "FI": "Suomi", "FR": "France", "GB": "United Kingdom", "GR": "Ελλάδα",
    "HK": "香港", "HR": "Hrvatska", "HU": "Magyarország", "ID": "Indonesia", "IE": "Ireland", "IN": "India",
    "IS": "Ísland", "IT": "Italia", "JP": "日本", "KE": "Kenya", "KR": "Korea", "LI": "Liechtenstein", "LT": "Lietuva",
    "LU": "Luxembourg", "LV": "Latvija", "MA": "المغرب", "MT": "Malta", "MX": "México", "MY": "Malaysia",
    "NG": "Nigeria", "NL": "Nederland", "NO": "Norge", "NZ": "New Zealand", "PE": "Perú", "PH": "Pilipinas",
    "PL": "Polska", "PT": "Portugal", "RO": "România", "RS": "Srbija", "RU": "Россия", "SA": "السعودية",
    "SE": "Sverige", "SG": "Singapore", "SI": "Slovenija", "SK": "Slovensko", "TH": "ไทย", "TR": "Türkiye", "TW": "台灣",
    "UA": "Україна", "US": "United States", "UY": "Uruguay", "VN": "Việt Nam", "ZA": "South Africa",
  ]
}

extension SettingType<String> {
  package static var radioCountry: Self {
    let all = Set(RadioCountry.codes)
    return SettingType(
      expected: "\(RadioCountry.anywhere) or the two letters of a country, such as DE",
      choices: [RadioCountry.anywhere] + RadioCountry.codes, form: ["type": "country"],
      parse: { $0 == RadioCountry.anywhere || all.contains($0) ? $0 : nil }, format: { $0 }, example: "DE")
  }
}

extension Setting<String> {
  package static var radioCountry: Self {
    Setting(
      .owner, "network", "country", .radioCountry, RadioCountry.anywhere,
      "The country whose rules for Wi-Fi hold: without it only channels that are free everywhere are used.",
      appliesAtOnce: true)
  }
}
