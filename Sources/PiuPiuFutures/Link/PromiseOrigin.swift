/// Where a future with a promise was created. Identifies its updates.
@usableFromInline
package final class PromiseOrigin: Sendable {
    let place: SourcePlace

    init(file: String, line: UInt) {
        place = SourcePlace(file: file, line: line)
    }
}
