import Foundation

/// Collects the body of a response to store: in memory, and beyond a limit in a file of the cache's folder.
///
/// The engine's thread writes to the file, so a body of any size takes constant memory.
final class CacheFill: Sendable {
    private enum Place {
        case memory(Data)
        case file(WritableFile, length: Int64, FileChecksum)
        /// It is too large, has no room, could not be written, or is not wanted any more.
        case none
        /// A part is being appended.
        case lent

        var length: Int64? {
            switch self {
            case .memory(let data): Int64(data.count)
            case .file(_, let length, _): length
            case .none, .lent: nil
            }
        }
    }

    private let store: CacheStore
    private let ticket: CacheStore.Ticket
    /// The announced length of the body, if known.
    private let length: Int64?
    private let place = Locked<Place>(.memory(Data()))

    /// `nil` if the response must not be stored.
    init?(
        _ store: CacheStore, _ visit: CacheStore.Visit, _ key: CacheKey, _ variant: CacheVariant,
        announcedLength: AnnouncedLength
    ) {
        guard let ticket = store.beginFill(visit, key, variant) else { return nil }
        self.store = store
        self.ticket = ticket
        length = if case .bytes(let length) = announcedLength { length } else { nil }
        store.note(self, of: visit)
    }

    deinit { abandon() }

    /// Appends the next part of the body.
    ///
    /// - Parameter turn: is notified of the wait for the disk.
    func append(_ chunk: Data, _ turn: (any TransferTurn)?) {
        guard store.admits(ticket) else { return discard(take()) }
        var lent = place.withLock { place in
            defer { if place.length != nil { place = .lent } }
            return place
        }
        // Outside the lock: it waits for the disk, and what ends the body meanwhile must not.
        let hasWaited = append(chunk, to: &lent, turn)
        let isWanted = place.withLock { place in
            guard case .lent = place else { return false }
            place = lent
            return true
        }
        if !isWanted { discard(released(lent)) }
        // Callers that are too late leave, and the last one cancels the exchange, which ends this.
        if hasWaited { try? turn?.leavesDisk() }
    }

    /// - Returns: whether it has waited for the disk.
    private func append(_ chunk: Data, to place: inout Place, _ turn: (any TransferTurn)?) -> Bool {
        switch place {
        case .memory(var data):
            // The only reference, so that appending copies nothing.
            place = .none
            let hasRoom =
                data.count + chunk.count <= store.memoryBodyLimit
                && store.reserve(Int64(chunk.count), beside: Int64(data.count), in: .memory)
            if !hasRoom { store.release(Int64(data.count), in: .memory) }
            data.append(chunk)
            guard !hasRoom else {
                place = .memory(data)
                return false
            }
            guard Int64(data.count) <= store.bodyLimit, let folder = store.folder else { return false }
            turn?.waitsForDisk()
            if let file = folder.makeFile() { place = written(data, to: file, 0, FileChecksum()) }
            return true
        case .file(let file, let length, let checksum):
            turn?.waitsForDisk()
            place = written(chunk, to: file, length, checksum)
            return true
        case .none, .lent: return false
        }
    }

    private func written(_ chunk: Data, to file: WritableFile, _ length: Int64, _ checksum: FileChecksum) -> Place {
        var checksum = checksum
        let count = Int64(chunk.count)
        guard length + count <= store.bodyLimit, store.reserve(count, beside: length, in: .folder) else {
            discard(.file(file, length: length, checksum))
            return .none
        }
        guard (try? file.write(chunk)) != nil else {
            discard(.file(file, length: length + count, checksum))
            store.folder?.countFailure()
            return .none
        }
        checksum.append(chunk)
        return .file(file, length: length + count, checksum)
    }

    /// The body is complete: stores the response, if the length is the announced one.
    ///
    /// - Parameters:
    ///   - turn: is notified of the wait for the folder.
    ///   - completion: called when a later request finds it.
    func finish(
        _ make: (StoredResponse.Body) -> StoredResponse, _ turn: (any TransferTurn)?,
        completion: @escaping @Sendable () -> Void
    ) {
        let place = take()
        // An engine may take an early close of the connection for the end.
        if let length, let count = place.length, count != length {
            discard(place)
            store.endFill(ticket)
            return completion()
        }
        switch place {
        case .memory(let data): store.keep(make(.data(data)), ticket)
        case .file(let file, let length, let checksum):
            turn?.waitsForDisk()
            return store.keep(
                make(.data(Data())), ticket, in: file, length: length, checksum: checksum.value
            ) { [self] in
                try? turn?.leavesDisk()
                // Until now the file counted among those that are arriving.
                store.release(length, in: .folder)
                // Retained until then: the ticket ends with it.
                withExtendedLifetime(self, completion)
            }
        case .none, .lent: store.drop(make(.data(Data())), ticket)
        }
        completion()
    }

    /// The body won't be complete, or must not be stored.
    func abandon() {
        discard(take())
        store.endFill(ticket)
    }

    private func discard(_ place: Place) {
        guard case .file(let file, let length, _) = place else { return }
        file.discard()
        store.release(length, in: .folder)
    }

    /// Takes the body out. What it takes in memory is free then, a file counts until it is stored or discarded.
    private func take() -> Place {
        released(
            place.withLock { place in
                defer { place = .none }
                return place
            })
    }

    private func released(_ place: Place) -> Place {
        if case .memory(let data) = place { store.release(Int64(data.count), in: .memory) }
        return place
    }
}
