import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A row of a list that shows the progress of its photo.
@MainActor
final class PhotoUpload {
    private(set) var shares: [Float] = []
    private(set) var receivedCount: Int?
    private(set) var message: String?

    func upload(_ photo: Data, to request: URLRequest, with dispatcher: any UploadDispatcher) async {
        await withCheckedContinuation { continuation in
            dispatcher.uploadFuture(from: request, with: photo)
                .decoded(Receipt.self)
                .updated { update in
                    if let share = update.percentSent { self.shares.append(share) }
                }
                .success { response in self.receivedCount = response.data.count }
                .error { error in self.message = error.localizedDescription }
                .completion { continuation.resume() }
                .send()
        }
    }
}
