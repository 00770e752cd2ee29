/// Like UIKit's class of that name: on the main actor, which its subclasses don't mention.
@MainActor
class ViewController {
    init() {}
}
