import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

@Suite("The decisions of a loader", .timeLimit(.minutes(10)))
struct LoadCourseTests {
    private let half = TransferProgress(bytesReceived: 1, bytesExpectedToReceive: 2)

    @Test("Idle, loading with progress, loaded, and loading with the older value")
    func success() {
        var course = LoadCourse<Int>()
        #expect(course.state == .idle && course.state.value == nil)
        let first = course.begin()
        #expect(course.state == .loading(TransferProgress(), value: nil))
        course.progressed(half, of: first)
        #expect(course.state == .loading(half, value: nil) && course.state.progress?.fractionReceived == 0.5)
        course.ended(.success(1), of: first)
        #expect(course.state == .loaded(1) && course.state.progress == nil)
        _ = course.begin()
        #expect(course.state == .loading(TransferProgress(), value: 1) && course.state.value == 1)
    }

    @Test("A failure keeps the older value, and so does the next load")
    func failure() {
        var course = LoadCourse(value: 1)
        #expect(course.state == .loaded(1))
        course.ended(.failure(Mishap()), of: course.begin())
        #expect(course.state == .failed(Mishap(), value: 1) && course.state.error is Mishap && !course.state.isLoading)
        let second = course.begin()
        #expect(course.state == .loading(TransferProgress(), value: 1) && course.state.error == nil)
        course.ended(.success(2), of: second)
        #expect(course.state == .loaded(2))
    }

    @Test("A cancelled load restores the state before it", arguments: [true, false])
    func cancellation(byUser: Bool) {
        func cancelled(_ course: LoadCourse<Int>) -> LoadingState<Int> {
            var course = course
            let load = course.begin()
            course.progressed(half, of: load)
            byUser ? course.cancel(load) : course.ended(.failure(CancellationError()), of: load)
            return course.state
        }
        #expect(cancelled(LoadCourse()) == .idle)
        #expect(cancelled(LoadCourse(value: 1)) == .loaded(1))
        var failed = LoadCourse(value: 1)
        failed.ended(.failure(Mishap(number: 2)), of: failed.begin())
        #expect(cancelled(failed) == .failed(Mishap(number: 2), value: 1))
        // Two loads cancelled in a row restore the state before both.
        var twice = failed
        _ = twice.begin()
        #expect(cancelled(twice) == .failed(Mishap(number: 2), value: 1))
    }

    @Test("Reports of an earlier load change nothing")
    func late() {
        var course = LoadCourse<Int>()
        let old = course.begin(), new = course.begin()
        course.ended(.success(1), of: old)
        course.progressed(half, of: old)
        #expect(course.state == .loading(TransferProgress(), value: nil) && !course.isCurrent(old))
        course.ended(.success(2), of: new)
        course.ended(.success(3), of: new)
        course.progressed(half, of: new)
        course.ended(.failure(Mishap()), of: old)
        #expect(course.state == .loaded(2))
        let cancelled = course.begin()
        course.cancel(cancelled)
        course.ended(.success(4), of: cancelled)
        #expect(course.state == .loaded(2))
    }

    @Test("States with equal contents are equal")
    func equality() {
        #expect(LoadingState<Int>.failed(Mishap(), value: 1) != .failed(Mishap(number: 1), value: 1))
        #expect(LoadingState<Int>.failed(Mishap(), value: 1) != .failed(Mishap(), value: 2))
        #expect(LoadingState<Int>.failed(Mishap(), value: 1) != .loaded(1) && LoadingState.loaded(1) != .loaded(2))
        #expect(LoadingState<Int>.loading(half, value: 1) != .loading(TransferProgress(), value: 1))
    }
}
