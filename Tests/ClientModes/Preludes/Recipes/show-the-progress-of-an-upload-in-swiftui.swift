import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if canImport(SwiftUI)
    import SwiftUI
#else
    // What the view uses of SwiftUI, with its isolation.
    @MainActor @preconcurrency protocol View {
        associatedtype Body
        @ViewBuilder var body: Body { get }
    }

    @resultBuilder enum ViewBuilder {
        static func buildBlock<each Content: View>(_ content: repeat each Content) -> Group { Group() }
        static func buildOptional(_ content: Group?) -> Group { Group() }
    }

    struct Group: View {
        var body: Group { Group() }
    }

    struct VStack: View {
        init(@ViewBuilder content: () -> Group) {}
        var body: Group { Group() }
    }

    struct Button: View {
        init(_ title: String, action: @escaping @MainActor () -> Void) {}
        var body: Group { Group() }
    }

    struct ProgressView: View {
        init(value: Double?) {}
        var body: Group { Group() }
    }

    struct Text: View {
        init(_ text: String) {}
        var body: Group { Group() }
    }

    @propertyWrapper nonisolated struct State<Value> {
        var wrappedValue: Value
        init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
        init(initialValue: Value) { wrappedValue = initialValue }
    }
#endif

nonisolated struct Receipt: Sendable {}

nonisolated struct Client: Sendable {
    func upload(_ photo: URL) -> ResponseFuture<Receipt> { ResponseFuture { Receipt() } }
}

nonisolated let client = Client()

// snippet
