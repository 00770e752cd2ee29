import Foundation
import PiuPiu

extension Tour {
    /// A status is data until the code makes it an error.
    func httpError() async {
        transcript.title("5. An HTTP error")
        do {
            let response = try await dispatcher.dataFuture(from: request("posts/0")).makeHTTPResponse().value
            transcript.expect(response.statusCode == .notFound, "a 404 arrives as a response, with its status")
            _ = try await post(0).value
            transcript.expect(false, "the chain throws the HTTP error")
        } catch let error as HTTPError {
            transcript.expect(error.statusCode == .notFound, "thrown by the chain: \(error.localizedDescription)")
        } catch {
            transcript.expect(false, "the error is an HTTPError, not \(error)")
        }
        let result = await post(0).safeResult().result
        if case .success(.failure(let error)) = result {
            transcript.expect(error is HTTPError, "safeResult(): the error as a value")
        } else {
            transcript.expect(false, "safeResult() turns the error into a value")
        }
    }
}
