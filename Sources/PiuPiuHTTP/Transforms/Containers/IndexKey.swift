/// The index of an element in a coding path.
struct IndexKey: CodingKey {
    let index: Int

    init(index: Int) {
        self.index = index
    }

    init?(intValue: Int) {
        index = intValue
    }

    init?(stringValue: String) {
        return nil
    }

    var intValue: Int? { index }
    var stringValue: String { "Index \(index)" }
}
