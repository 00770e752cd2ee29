import PiuPiuTesting

/// The steps of a random program's tasks.
extension RandomProgramWriter {
    /// The steps before the tasks begin, each with its node.
    mutating func prelude() -> [(node: Int, step: Program.Step)] {
        (0..<number(0...4)).map { _ in
            let node = any(kept)
            switch number(0...5) {
            case 0, 1: return (node, .send(node))
            case 2, 3: return (node, .await(node, on: .background))
            default: return (node, .attach(node, family(for: node)))
            }
        }
    }

    mutating func step(_ mayCancel: Bool) -> Program.Step? {
        let node = reachable()
        switch number(mayCancel ? 0...23 : 0...16) {
        case 0: return .send(node)
        case 1: return .sendOnMainActor(node, family(for: node))
        case 2, 3, 4: return .await(node, on: isolation())
        case 5, 6: return .attach(node, family(for: node))
        case 7: return .disturbAfterEnd(node, family(for: node))
        case 8, 9, 10: return opening()
        case 11: return weakStep()
        case 12, 13: return collision(mayCancel: false)
        case 14, 15: return collision(mayCancel: mayCancel)
        case 16: return hurriedSend()
        case 17: return .cancel(node)
        case 18: return .cancelOnMainActor(node)
        case 19: return .settle(node, settlement())
        case 20: return collision(mayCancel: true)
        default: return .awaitAndBeCancelled(node, on: isolation(), late: chance(50))
        }
    }

    mutating func abandoningStep() -> Program.Step? {
        let node = reachable()
        switch number(1...10) {
        case 1...4: return .awaitAndBeCancelled(node, on: isolation(), late: chance(90))
        case 5...7:
            let other = chance(50) ? node : relative(of: node)
            return .collision(
                .awaitAndBeCancelled(node, on: .background, late: true),
                chance(60) ? .cancel(other) : .awaitAndBeCancelled(other, on: .background, late: chance(50)),
                lead: lead())
        case 8, 9: return .attach(node, family(for: node))
        default: return weakStep()
        }
    }

    /// What a task does with a node that no other node uses.
    mutating func beginning(of node: Int, _ isAbandoned: Bool) -> Program.Beginning {
        switch number(1...10) {
        case 1...2: .dropped
        case 3...4: .held
        case 5...7 where !isAbandoned: .sent(family(for: node), onMainActor: chance(40))
        default: .awaited(isCancelled: isAbandoned)
        }
    }

    private mutating func opening() -> Program.Step? {
        let openable = nodes.indices.filter { nodes[$0].work.isOpenable && !lateGates.contains($0) }
        return openable.isEmpty ? nil : .open(any(openable))
    }

    /// Sends a node that makes many updates.
    private mutating func hurriedSend() -> Program.Step? {
        let hurried = (kept + weak).filter { nodes[$0].work.isHurried }
        if hurried.isEmpty { return nil }
        let node = any(hurried)
        return .sendOnMainActor(node, family(for: node))
    }

    private mutating func weakStep() -> Program.Step? {
        if weak.isEmpty { return nil }
        return chance(50) ? .hold(any(weak)) : .letGo(any(weak))
    }

    /// Two steps on the same node, or on a node and one of its relatives.
    private mutating func collision(mayCancel: Bool) -> Program.Step {
        let node = reachable(), other = chance(50) ? node : relative(of: node)
        return .collision(collider(node, mayCancel), collider(other, mayCancel), lead: lead())
    }

    private mutating func collider(_ node: Int, _ mayCancel: Bool) -> Program.Step {
        switch number(mayCancel ? 0...11 : 0...5) {
        case 0, 1: .send(node)
        case 2, 3: .await(node, on: chance(70) ? .background : isolation())
        case 4: .attach(node, family(for: node))
        case 5: weak.contains(node) ? .letGo(node) : .send(node)
        case 6...8: .cancel(node)
        case 9: .settle(node, settlement())
        default: .awaitAndBeCancelled(node, on: isolation(), late: chance(50))
        }
    }

    /// A node that the program can probably reach.
    private mutating func reachable() -> Int { weak.isEmpty || chance(65) ? any(kept) : any(weak) }

    /// A reachable input or user of a node, or the node itself if there is none.
    private mutating func relative(of node: Int) -> Int {
        let relatives = (kept + weak).filter {
            nodes[node].work.inputs.contains($0) || nodes[$0].work.inputs.contains(node)
        }
        return relatives.isEmpty ? node : any(relatives)
    }

    private mutating func lead() -> Int { chance(50) ? 0 : number(-60...60) }

    private mutating func isolation() -> Program.Isolation {
        chance(65) ? .background : chance(50) ? .mainActor : .ownActor
    }
}

extension RandomProgram.Beginning {
    /// Whether it needs no suspension, so that it may come before the tasks begin.
    var canBeFirst: Bool {
        switch self {
        case .awaited, .dropped: false
        case .sent(_, let onMainActor): !onMainActor
        case .held: true
        }
    }
}
