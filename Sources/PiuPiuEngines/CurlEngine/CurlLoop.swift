#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl
    import Dispatch
    import Foundation

    // Sound without a check for overlapping accesses: all of them are on one thread, and none spans a call that comes
    // back to the loop.

    /// The loop of an engine: it performs commands, waits for the network, and makes the transfers report their events.
    ///
    /// Made, used and released only on its own thread.
    final class CurlLoop {
        /// How many idle connections are kept open: few enough to leave descriptors to others.
        private static var idleConnections: Int { min(128, max(1, SystemCall.descriptorLimit / 4)) }

        /// After how many milliseconds to look for a descriptor again: others in the process close theirs silently.
        private static let pauseOfStarved: Int32 = 100

        /// What is left to deliver of a transfer.
        private struct End {
            let transfer: CurlTransfer
            let metrics: TransferMetrics?
            let event: TransferEvent
            /// Whether it is freed only when its end was delivered, so that its caller doesn't wait for that.
            let isFreedLater: Bool
        }

        private let inbox: CurlInbox
        private let setup: CurlSetup
        private let origins = CurlOrigins()
        private let loop: OpaquePointer
        @exclusivity(unchecked) private var transfers: [Int: CurlTransfer] = [:]
        /// Transfers that were cancelled during the look-up of their host: freeing them would wait for the name server.
        @exclusivity(unchecked) private var abandoned: [CurlTransfer] = []
        /// Transfers without a connection, as no descriptor is left: they wait until another transfer has ended, or
        /// until there is one.
        @exclusivity(unchecked) private var starved = LinkedLine<Int>()
        /// When to look for a descriptor next, in nanoseconds: at once, unless the last look was in vain.
        private var nextLook: UInt64 = 0
        @exclusivity(unchecked) private var lookUps = CurlLookUps()
        /// Transfers that libcurl is about to end, as they may not look up their host now; whether that is for want of
        /// a descriptor.
        @exclusivity(unchecked) private var refused: [Int: Bool] = [:]
        /// Transfers that wait until others have looked up their hosts, or for a new connection; some may be over.
        @exclusivity(unchecked) private var unresolved = FirstInFirstOut<Int>()
        /// Transfers with an undelivered part of a body.
        @exclusivity(unchecked) private var unflushed: [CurlTransfer] = []
        /// Transfers that have paused for the turns of others.
        @exclusivity(unchecked) private var yielding: [CurlTransfer] = []
        /// The ends of transfers that are to be delivered.
        @exclusivity(unchecked) private var ends: [End] = []
        /// Transfers that are to be freed when their callers were resumed.
        @exclusivity(unchecked) private var delivered: [CurlTransfer] = []
        /// Whether new exchanges are refused.
        private var isInvalid: Bool
        /// A handle for the next transfer, made in advance.
        private var spare: OpaquePointer?

        /// Makes a loop; `nil` if no memory or no descriptor is left.
        init?(_ inbox: CurlInbox, _ setup: CurlSetup, wake: Int32, isInvalid: Bool) {
            guard let loop = piu_loop_new(wake, Self.idleConnections) else { return nil }
            self.loop = loop
            self.inbox = inbox
            self.setup = setup
            self.isInvalid = isInvalid
            // The loop retains the origins. Only libcurl's calls for the loop run this.
            origins.mayLookUp = { [unowned self] in mayLookUp($0) }
        }

        deinit {
            if let spare { piu_transfer_free(spare) }
            piu_loop_free(loop)
        }

        /// Runs until the engine is released, and nothing is in flight.
        func run() {
            var commands: [CurlCommand] = []
            while true {
                var mustEnd = false
                // The next requests are sent before the callers of those that are over go on, and take this processor.
                Resumptions.together {
                    deliver()
                    mustEnd = inbox.take(&commands, isIdle: isIdle)
                    guard !commands.isEmpty else { return }
                    for command in commands { perform(command) }
                    // They retain what their transfers may release during the wait.
                    commands.removeAll(keepingCapacity: true)
                    // Otherwise new requests would be sent only after a look at the network.
                    piu_loop_begin(loop)
                    deliver()
                }
                freeDelivered()
                if mustEnd { return }
                let maySleep = inbox.maySleep(isIdle: isIdle)
                // While the server or the caller works.
                if maySleep, spare == nil { spare = CurlTransfer.makeHandle(on: loop) }
                piu_loop_turn(loop, maySleep && !isBehind ? longestSleep : 0)
                if maySleep { inbox.stayAwake() }
            }
        }

        /// Whether nothing is in flight.
        private var isIdle: Bool { transfers.isEmpty && abandoned.isEmpty }

        /// Whether there is something to deliver or to send, or a turn to give: a transfer may pause again where it is
        /// resumed, for which libcurl need not set a timer.
        private var isBehind: Bool {
            !unflushed.isEmpty || !yielding.isEmpty || !unresolved.isEmpty && lookUps.places() > 0
        }

        /// How many milliseconds the loop may wait for the network; -1 is without a limit.
        private var longestSleep: Int32 {
            guard !starved.isEmpty else { return -1 }
            return isTimeToLook ? 0 : Self.pauseOfStarved
        }

        /// Delivers what has come.
        private func deliver() {
            flush()
            endTransfers()
            giveTurns()
            sendUnresolved()
            retryStarved()
            deliverEnds()
        }

        private func perform(_ command: CurlCommand) {
            switch command {
            case .start(let identifier, let request, let supplier, let reading, let onEvent):
                start(CurlTransfer(identifier, request, supplier, reading, setup, origins, onEvent))
            case .cancel(let identifier, let hasTimedOut):
                guard let transfer = transfers[identifier] else { return }
                transfer.giveUp(hasTimedOut: hasTimedOut)
                end(transfer, with: .failed(CancellationError()))
            case .resume(let identifier):
                if let transfer = transfers[identifier] { goOn(transfer, or: transfer.resume()) }
            case .finish(let identifier):
                guard let transfer = transfers[identifier], transfer.isStillWhole() else { return }
                end(transfer, with: transfer.wholeOutcome)
            case .supply(let identifier, let supply):
                guard let transfer = transfers[identifier] else { return supply.answer(false) }
                if let error = transfer.take(supply) { end(transfer, with: .failed(error)) }
            case .cancelAll:
                for transfer in transfers.values { end(transfer, with: .failed(CancellationError())) }
            case .refuseOthers:
                isInvalid = true
            }
        }

        private func start(_ transfer: CurlTransfer) {
            guard !isInvalid else {
                transfer.free()
                return transfer.deliver(.failed(transfer.error(.sessionInvalidated)))
            }
            transfers[transfer.identifier] = transfer
            // The loop retains the transfer, so a strong reference would be a cycle. Only calls of the loop run these.
            transfer.onPart = { [unowned self] in unflushed.append($0) }
            transfer.onTurn = { [unowned self] in mustYield($0) }
            if let error = send(transfer) { end(transfer, with: .failed(error), isRunning: false) }
        }

        private func takeHandle() -> OpaquePointer? { spare.take() ?? CurlTransfer.makeHandle(on: loop) }

        /// Delivers the parts of bodies that have arrived.
        private func flush() {
            guard !unflushed.isEmpty else { return }
            for transfer in unflushed { transfer.flush() }
            unflushed.removeAll(keepingCapacity: true)
        }

        /// Whether others get their turn before the transfer goes on.
        private func mustYield(_ transfer: CurlTransfer) -> Bool {
            guard transfers.count > 1 || inbox.hasCommands else { return false }
            yielding.append(transfer)
            return true
        }

        /// Continues the transfers that have paused for the turns of others.
        private func giveTurns() {
            guard !yielding.isEmpty else { return }
            let next = yielding
            yielding.removeAll()
            for transfer in next where transfers[transfer.identifier] != nil {
                goOn(transfer, or: transfer.takeTurn())
            }
        }

        private func goOn(_ transfer: CurlTransfer, or failure: TransferError?) {
            if let failure { end(transfer, with: .failed(failure)) }
        }

        /// Ends the transfers that libcurl has finished.
        private func endTransfers() {
            while let (transfer, result) = CurlTransfer.nextDone(on: loop) {
                if let index = abandoned.firstIndex(where: { $0 === transfer }) {
                    abandoned.remove(at: index).free()
                } else if !mustWait(transfer, after: result) {
                    if result == CurlCode.timedOut.rawValue, transfer.isInLookUp { lookUps.abandon(transfer) }
                    end(transfer, with: transfer.outcome(of: result), isRunning: false)
                }
            }
        }

        /// Whether a transfer runs, or will, that gives what it has to the next starved one.
        private var hasOthers: Bool { transfers.count > starved.count + 1 }

        /// Parks a transfer that was not sent for want of a descriptor, since too many look up their hosts, or since
        /// nothing comes on the connection that it would have shared.
        private func mustWait(_ transfer: CurlTransfer, after result: Int32) -> Bool {
            let refusal = refused.isEmpty ? nil : refused.removeValue(forKey: transfer.identifier)
            if refusal == nil, transfer.hasFoundSilence(result) {
                transfer.parkForNewConnection()
                unresolved.append(transfer.identifier)
                return true
            }
            let isWithoutThread = refusal == nil && transfer.hasFoundNoThread(result)
            let isStarved = refusal ?? (isWithoutThread || transfer.isStarved(result))
            guard refusal != nil || isStarved && hasOthers else { return false }
            lookUps.end(for: transfer)
            transfer.park()
            let identifier = transfer.identifier
            // The last one may take what there is.
            guard isStarved, hasOthers else {
                unresolved.append(identifier)
                return true
            }
            // Those behind it may need no thread.
            starve(transfer, keepsPlace: !isWithoutThread)
            return true
        }

        /// Lets a transfer wait for a descriptor.
        private func starve(_ transfer: CurlTransfer, keepsPlace: Bool = true) {
            if transfer.wasNext { postponeLook() }
            if transfer.wasNext, keepsPlace {
                starved.prepend(transfer.identifier)
            } else {
                starved.append(transfer.identifier)
            }
        }

        /// Whether a transfer may look up its host now.
        private func mayLookUp(_ transfer: CurlTransfer) -> Bool {
            // A request that was sent on a connection that broke can't wait: only libcurl may send it again.
            let mayWait = !transfer.wasSent, isFull = mayWait && lookUps.places() == 0
            guard !isFull, lookUps.begin(for: transfer, needsDescriptors: mayWait && hasOthers) else {
                refused[transfer.identifier] = !isFull
                return false
            }
            return true
        }

        /// Sends as many transfers again as may look up their hosts.
        private func sendUnresolved() {
            guard !unresolved.isEmpty else { return }
            var places = lookUps.places()
            while places > 0, let identifier = unresolved.popFirst() {
                guard let transfer = transfers[identifier] else { continue }
                places -= 1
                transfer.wasNext = false
                if let error = send(transfer) { end(transfer, with: .failed(error), isRunning: false) }
            }
        }

        /// Ends a transfer, and passes its place on.
        ///
        /// - Parameter isRunning: whether libcurl is carrying it out.
        private func end(_ transfer: CurlTransfer, with event: TransferEvent, isRunning: Bool = true) {
            guard transfers[transfer.identifier] != nil else { return }
            close(transfer, with: event, isRunning: isRunning)
            sendStarved()
        }

        private func close(_ transfer: CurlTransfer, with event: TransferEvent, isRunning: Bool) {
            transfers[transfer.identifier] = nil
            if isRunning, transfer.isInLookUp { lookUps.abandon(transfer) }
            let metrics: TransferMetrics? = if case .finished = event { transfer.metrics() } else { nil }
            // Nobody waits for its descriptor, and it has none of its own.
            let isFreedLater = !isRunning && starved.isEmpty && !transfer.hasBody
            if isRunning, transfer.isResolving {
                transfer.abandon()
                abandoned.append(transfer)
            } else if !isFreedLater {
                transfer.free()
            }
            starved.remove(transfer.identifier)
            lookUps.end(for: transfer)
            ends.append(End(transfer: transfer, metrics: metrics, event: event, isFreedLater: isFreedLater))
        }

        private func deliverEnds() {
            for end in ends {
                end.transfer.flush()
                if let metrics = end.metrics { end.transfer.deliver(.measured(metrics)) }
                end.transfer.deliver(end.event)
                if end.isFreedLater { delivered.append(end.transfer) }
            }
            ends.removeAll(keepingCapacity: true)
        }

        /// Frees the transfers whose callers needn't wait for that.
        private func freeDelivered() {
            for transfer in delivered { transfer.free() }
            delivered.removeAll(keepingCapacity: true)
        }

        /// Tries the next transfer that found no descriptor again. A loop, as each of many may fail at once.
        ///
        /// - Parameter keepsPlace: whether it stays the next one if it finds none; otherwise another may follow it that
        ///   can use the connection of the transfer that has ended.
        private func sendStarved(keepsPlace: Bool = false) {
            while let identifier = starved.popFirst(), let transfer = transfers[identifier] {
                transfer.wasNext = keepsPlace
                guard let error = send(transfer) else { return }
                close(transfer, with: .failed(error), isRunning: false)
            }
        }

        /// Tries it without the end of another transfer, too, which may be far off: one in each turn, in which it takes
        /// its descriptor, until there is none. Then only now and then, also if the system has no socket in spite of a
        /// descriptor.
        private func retryStarved() {
            guard !starved.isEmpty, isTimeToLook else { return }
            if lookUps.hasDescriptors { sendStarved(keepsPlace: true) } else { postponeLook() }
        }

        private var isTimeToLook: Bool { DispatchTime.now().uptimeNanoseconds >= nextLook }

        private func postponeLook() {
            nextLook = DispatchTime.now().uptimeNanoseconds + UInt64(Self.pauseOfStarved) * 1_000_000
        }

        /// Sends a transfer, or a parked one again; returns its error if it has failed at once.
        private func send(_ transfer: CurlTransfer) -> TransferError? {
            // Of many at once the files would take all descriptors before there is a connection.
            guard !transfer.needsFile || !hasOthers || lookUps.hasDescriptors else {
                starve(transfer)
                return nil
            }
            do throws(TransferError) {
                try transfer.send { takeHandle() }
                return nil
            } catch {
                return error
            }
        }
    }
#endif
