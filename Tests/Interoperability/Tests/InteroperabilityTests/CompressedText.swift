import Foundation

/// A text, and the same compressed by gzip, as the server has no compressor.
enum CompressedText {
    static let text = Data(String(repeating: "Text that is worth compressing. ", count: 4_000).utf8)

    static let gzip = Data(base64Encoded: base64) ?? Data()

    private static let base64 = """
        H4sIAAAAAAACA+3JwQ2AIBAAsFVuAqdxAWOI8FAMXKLjO4jtt2t5M7JuGW3G00fW2Pt5jzJnu44lVu+9995777333nvvvffee++9\
        995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9\
        995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9\
        995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9\
        995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333v/+P63XDacA\
        9AEA
        """
}
