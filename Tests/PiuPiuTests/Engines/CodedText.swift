#if canImport(FoundationNetworking)
    import Foundation

    /// A text, and what compressors of other makes have made of it.
    enum CodedText {
        static let text = Data(String(repeating: "Text that is worth compressing. ", count: 4_000).utf8)

        /// A single member.
        static let gzip = Data(
            base64: """
                H4sIAAAAAAACA+3JwQ2AIBAAsFVuAqdxAWOI8FAMXKLjO4jtt2t5M7JuGW3G00fW2Pt5jzJnu44lVu+9995777333nvvvffe\
                e++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvv\
                vffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++999577733\
                3nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++99957\
                77333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9\
                995777333v/+P63XDacA9AEA
                """)

        /// With the wrapper of zlib.
        static let deflate = Data(
            base64: """
                eNrtycENgCAQALBVbgKncQFjiPBQDFyi4zuI7bdreTOybhltxtNH1tj7eY8yZ7uOJVbvvffee++9995777333nvvvffee++9\
                995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffe\
                e++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvv\
                vffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++999577733\
                3nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9997/\
                /j/gmHeY
                """)

        /// Without a wrapper, as some servers send it.
        static let rawDeflate = Data(
            base64: """
                7cnBDYAgEACwVW4Cp3EBY4jwUAxcouM7iO23a3kzsm4ZbcbTR9bY+3mPMme7jiVW77333nvvvffee++9995777333nvvvffe\
                e++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvv\
                vffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++999577733\
                3nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++99957\
                77333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffee++9995777333nvvvffe//4/
                """)

        /// Brotli.
        static let brotli = Data(
            base64: """
                W//zgd9I6e4jSmqqMjc8DeJyRqcHaQWY0/QLrKATEvHxxOmirbkeUAI=
                """)

        /// A single frame.
        static let zstd = Data(
            base64: """
                KLUv/aAA9AEAVQEABAJUZXh0IHRoYXQgaXMgd29ydGggY29tcHJlc3NpbmcuIAEA6J4fuXoC
                """)

        /// 64 MiB of zeros, by Brotli.
        static let brotliOfZeros = Data(
            base64: """
                y///P/gnAOKxQCD3/o///3/wTwDEYRGA7v0f////4J8AiMMCAN37P/7//8E/ARCHBQC693/8//+DfwIgDgsAdO//+P//B/8E\
                QBwWAOje//H//w/+CYA4LADQvf/j//8f/BMAcVgAoHv/Nw==
                """)

        /// The header of a gzip file whose name of 64 MiB has no end, by gzip, twice.
        static let endlessNameByGzipTwice = Data(
            base64: """
                H4sIAAAAAAACA+3coUqDURjH4eP2hWGYLiwZ9AYEi2ARtmJ0BpdFXLDMW9hATAYxGLyQrQsGwWKbcXbLDF9SPtl3Ged9nnTy\
                P74cfrv3rbTWaH6/9DspFelgsD96HFyfPowPn1fzjQQAAABkbXq11S7qx+/FTn8IAAAA5O7u+Gi7vgr8TMaFOQAAACB73XLZ\
                q28Bb9Wsc24PAAAAyN7nbbOuBOxVi5MzcwAAAED2LgUDAAAAIBTBAAAAAIhFMAAAAACCEQwAAACAWAQDAAAAIBbBAAAAAIhF\
                MAAAAACCEQwAAACAWAQDAAAAIBbBAAAAAIjlqVxO1x8Deh/V4q/VTQAAAMRSNr5u3l83Uyr+AdebXq/r/gAA
                """)
    }

    extension Data {
        fileprivate init(base64 text: String) {
            self = Data(base64Encoded: text) ?? Data()
        }
    }
#endif
