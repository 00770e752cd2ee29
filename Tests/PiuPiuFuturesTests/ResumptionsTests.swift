import Foundation
import PiuPiu
import Testing

@Suite("Tasks that are resumed together", .timeLimit(.minutes(10)))
struct ResumptionsTests {
    @Test("They go on in order, once everything between them is done; alone, a task goes on at once")
    func order() {
        var events: [String] = []
        Resumptions.together {
            Resumptions.resume { events.append("first") }
            events.append("work")
            Resumptions.resume { events.append("second") }
            events.append("more work")
        }
        Resumptions.resume { events.append("third") }
        events.append("end")
        #expect(events == ["work", "more work", "first", "second", "third", "end"])
    }

    @Test("What is nested goes on with what is inside, and what a resumption itself resumes at once")
    func nesting() {
        var events: [String] = []
        Resumptions.together {
            Resumptions.resume {
                Resumptions.resume { events.append("inside of the outer one") }
                events.append("outer")
            }
            Resumptions.together { Resumptions.resume { events.append("inner") } }
            events.append("end of the body")
        }
        #expect(events == ["inner", "end of the body", "inside of the outer one", "outer"])
    }

    @Test("Code of others finds the tasks before it resumed, and its own go on at once")
    func codeOfOthers() {
        var events: [String] = []
        Resumptions.together {
            Resumptions.resume { events.append("first") }
            events.append("work")
            Resumptions.apart {
                events.append("code of others")
                Resumptions.resume { events.append("its own") }
                events.append("its end")
            }
            Resumptions.resume { events.append("second") }
            events.append("more work")
        }
        Resumptions.apart { events.append("alone") }
        #expect(
            events == ["work", "first", "code of others", "its own", "its end", "more work", "second", "alone"])
    }

    @Test("Code of others that can wait comes after all tasks, and alone at once")
    func codeThatCanWait() {
        var events: [String] = []
        Resumptions.together {
            Resumptions.afterwards {
                Resumptions.resume { events.append("its own") }
                Resumptions.afterwards { events.append("more code") }
                events.append("code of others")
            }
            Resumptions.resume { events.append("first") }
            Resumptions.apart { events.append("code of others that can't wait") }
            Resumptions.resume { events.append("second") }
            events.append("work")
        }
        Resumptions.afterwards { events.append("alone") }
        let expected = [
            "first", "code of others that can't wait", "work", "second", "its own", "more code", "code of others",
            "alone",
        ]
        #expect(events == expected)
    }

    @Test("Another thread resumes its own at once")
    func otherThread() {
        Resumptions.together {
            let isResumed = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                Resumptions.resume { isResumed.signal() }
            }
            #expect(isResumed.wait(timeout: .now() + 60) == .success)
        }
    }
}
