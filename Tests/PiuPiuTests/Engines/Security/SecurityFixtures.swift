/// A self-signed certificate, valid until 2126, and its key, made by openssl.
enum SecurityFixtures {
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBdjCCARugAwIBAgIUfNu5hz3v6jTE1m6pH6fMdL3uE3IwCgYIKoZIzj0EAwIw
        DzENMAsGA1UEAwwEVGVzdDAgFw0yNjExMjMwMzAwMjlaGA8yMTI2MTAzMDAzMDAy
        OVowDzENMAsGA1UEAwwEVGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEea
        25sOlAmCtOJ+bahp2xKQw+6KGSZJIvIEMDnK56PVyUwindEOiU7Al6KxqTTR+w6H
        wattKNmgvX8UQQHkGiWjUzBRMB0GA1UdDgQWBBQyfmZG7+Cmog48/PnwN9sgsOGZ
        5zAfBgNVHSMEGDAWgBQyfmZG7+Cmog48/PnwN9sgsOGZ5zAPBgNVHRMBAf8EBTAD
        AQH/MAoGCCqGSM49BAMCA0kAMEYCIQChJbFllVksb/TvJDmTpmJMODaYbcmtr9X9
        6c7xMCqRWgIhAJUCRDKMUbdssozvxVwKFIdlKe7da5XZh25H/NbKIs8V
        -----END CERTIFICATE-----

        """

    /// Its SubjectPublicKeyInfo.
    static let publicKey = """
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAER5rbmw6UCYK04n5tqGnbEpDD7ooZ\
        Jkki8gQwOcrno9XJTCKd0Q6JTsCXorGpNNH7DofBq20o2aC9fxRBAeQaJQ==
        """

    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguE9eNc1dqD8eeEm1
        490YwytOVWat21jRV9wQEqESEQShRANCAARHmtubDpQJgrTifm2oadsSkMPuihkm
        SSLyBDA5yuej1clMIp3RDolOwJeisak00fsOh8GrbSjZoL1/FEEB5Bol
        -----END PRIVATE KEY-----

        """

    /// The key, encrypted with "secret".
    static let encryptedKey = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgqFiD909BZOAICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEPtgpEpSdNgc5PoZ82lTvU0EgZAc
        FUuzwKwdcrUb4SOSooTWYTsxKFsfYUhmg0E4eCxUneY/dCKsilxY5WKHj0MhfA+t
        nU9ysdEM42yd4LcoIDnTnRIgZUob8OPKmnbbXMEBEcpSgUQcP1juOUUyb56oek2o
        OtfNbGBbGx9vnmyiiEXS0rDg+RNvFNVKYcLJC6Px7aGs32qGUkCN015sgraZnw8=
        -----END ENCRYPTED PRIVATE KEY-----

        """

    /// The same in an older form.
    static let oldEncryptedKey = """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,633D36379A105CF929C3B11D1E66D478

        CsY3P+wQ3eppiaaSpm9nxgZfpxKFQhswTEeRYL6CZjR9UKQkux3Y4ChIvTESyTTm
        QV6eC3Iv7YFgZTyIF2pDk1hbrZNMsMWm37b2EQhd5046i1C3rEpPmfwWK+a1iKKJ
        lpRhdcJeeZS2mnqtQLf7+X5L0YkpwOVaph39QPPIc8E=
        -----END EC PRIVATE KEY-----

        """
}
