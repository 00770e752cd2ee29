/// An error of another module of the package whose text names the request already.
package protocol RequestNamingError: Error {}
