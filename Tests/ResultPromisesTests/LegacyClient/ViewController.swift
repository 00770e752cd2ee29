/// What UIKit's class of that name is to its subclasses: a main-actor class, which they don't mention.
@MainActor
class ViewController {
    init() {}
}
