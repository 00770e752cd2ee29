/// A priority queue of alarms by instant: a binary heap from which any member can be removed.
///
/// Adding and removing take logarithmic time at most, and nearly constant time if alarms are added in the order of
/// their instants, like those of one limit.
package struct AlarmList<Instant: Comparable & Sendable, Content: Sendable>: Sendable {
    /// Names an alarm. Names are never reused, so that the name of a removed alarm matches no other.
    package struct ID: Sendable, Hashable {
        fileprivate let slot: Int
        fileprivate let number: UInt64
    }

    private struct Slot: Sendable {
        var number: UInt64
        var place: Int
        var content: Content?
    }

    private var heap: [(instant: Instant, slot: Int)] = []
    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var lastNumber: UInt64 = 0

    package init() {}

    /// The number of alarms.
    package var count: Int { heap.count }

    /// The earliest instant.
    package var first: Instant? { heap.first?.instant }

    /// Adds an alarm.
    package mutating func add(_ content: Content, at instant: Instant) -> ID {
        lastNumber += 1
        let new = Slot(number: lastNumber, place: heap.count, content: content)
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = free
            slots[slot] = new
        } else {
            slot = slots.count
            slots.append(new)
        }
        heap.append((instant, slot))
        moveUp(heap.count - 1)
        return ID(slot: slot, number: lastNumber)
    }

    /// Removes an alarm; `nil` if it is gone.
    package mutating func remove(_ id: ID) -> Content? {
        guard slots[id.slot].number == id.number, slots[id.slot].content != nil else { return nil }
        return remove(at: slots[id.slot].place)
    }

    /// Removes all alarms that are due by an instant, the earliest first.
    package mutating func removeAll(until instant: Instant) -> [Content] {
        var due: [Content] = []
        while let first, first <= instant, let content = remove(at: 0) { due.append(content) }
        return due
    }

    private mutating func remove(at place: Int) -> Content? {
        let slot = heap[place].slot
        let last = heap.count - 1
        swap(place, last)
        heap.removeLast()
        if place < last {
            moveUp(place)
            moveDown(slots[heap[place].slot].place)
        }
        freeSlots.append(slot)
        return slots[slot].content.take()
    }

    private mutating func moveUp(_ place: Int) {
        var place = place
        while place > 0, heap[place].instant < heap[(place - 1) / 2].instant {
            swap(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func moveDown(_ place: Int) {
        var place = place
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
                if heap[child].instant < heap[least].instant { least = child }
            }
            guard least != place else { return }
            swap(place, least)
            place = least
        }
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        guard left != right else { return }
        heap.swapAt(left, right)
        slots[heap[left].slot].place = left
        slots[heap[right].slot].place = right
    }
}
