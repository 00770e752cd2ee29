import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RecordedExchange.Kind {
    /// A transfer of this kind, as a future of its text. A stream is read inside the future.
    func text(
        of request: URLRequest,
        by dispatcher: some DataDispatcher & DownloadDispatcher & UploadDispatcher & StreamDispatcher,
        in folder: TemporaryFolder
    ) -> ResponseFuture<String?> {
        switch self {
        case .data: dispatcher.dataFuture(from: request).then { $0.data.text }
        case .upload: dispatcher.uploadFuture(from: request, with: Data("sent".utf8)).then { $0.data.text }
        case .download:
            dispatcher.downloadFuture(from: request, to: folder.file("file")).then { response in
                // If it were released before, the download would create the folder again, and it would stay.
                withExtendedLifetime(folder) { response.data.content }
            }
        case .stream:
            dispatcher.streamFuture(from: request).flatMap { response in
                ResponseFuture {
                    let data = try await response.data.reduce(into: Data()) { $0.append($1) }
                    return data.isEmpty ? nil : String(decoding: data, as: UTF8.self)
                }
            }
        }
    }
}
