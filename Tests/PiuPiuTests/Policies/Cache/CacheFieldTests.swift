import PiuPiu
import Testing

@Suite("Age and Vary", .timeLimit(.minutes(10)))
struct CacheFieldTests {
    @Test("K4 AGE: digits are seconds, and more than 2³¹ is 2³¹")
    func ages() {
        let ages = [
            "0": 0, "007": 7, " 5\t": 5, "2147483647": 2_147_483_647, "2147483648": 2_147_483_648,
            "2147483649": 2_147_483_648, String(repeating: "9", count: 100_000): 2_147_483_648,
        ]
        for (field, age) in ages { #expect(AgeField.age([field]) == age) }
    }

    @Test("K4 AGE: of several members the first counts, on one line or on two")
    func severalAges() {
        for lines in [["1, 2"], ["1", "2"], [",1,a"], ["", " , 1", "x"], ["1,"]] { #expect(AgeField.age(lines) == 1) }
        #expect(AgeField.age(["a, 1"]) == nil && AgeField.age(["a", "1"]) == nil && AgeField.age(["-1", "5"]) == nil)
    }

    @Test(
        "K4 AGE: everything else is no age",
        arguments: ["", " ", ",", "-1", "+1", "7200.0", "7200a", "a7200", "7200;a=b", "7200 1", "\"1\"", "٣", "0x1"])
    func noAges(field: String) {
        #expect(AgeField.age([field]) == nil && AgeField.age([]) == nil)
    }

    @Test("K1 KEY: the names of Vary are one list, in lower case and order, without duplicates and empty members")
    func vary() {
        for lines in [
            ["Accept, x-A"], ["X-a", "ACCEPT"], ["x-a,accept, Accept"], [" , accept\t,", "", ",,x-A"],
        ] {
            let vary = VaryField(lines)
            #expect(vary.names == ["accept", "x-a"] && !vary.isStar && vary == VaryField(["accept", "x-a"]))
        }
        for lines in [[], [""], [" , "]] { #expect(VaryField(lines).names.isEmpty && !VaryField(lines).isStar) }
    }

    @Test("K1 KEY: one * among the members is enough", arguments: [["*"], ["a, *"], ["*,a"], ["a", " * "], ["*, *"]])
    func star(lines: [String]) {
        #expect(VaryField(lines).isStar && !VaryField(lines).names.contains("*"))
    }

    @Test("K1 KEY: only a * on its own counts")
    func noStar() {
        #expect(!VaryField(["a*"]).isStar && !VaryField(["**, x"]).isStar)
        // A quote quotes nothing in this field.
        #expect(VaryField(["\"a, *, b\""]).isStar)
    }
}
