/// An error of another module of the package whose text already names the request.
package protocol RequestNamingError: Error {}
