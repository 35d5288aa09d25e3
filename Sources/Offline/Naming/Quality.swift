import Services

/// Sources know it as well: they say which they have.
package typealias Quality = Services.Quality
