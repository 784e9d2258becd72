package dev.ebb.secured;

/** Ways in which a client proves to the broker who it is. */
public enum Login {
    /** A password by SCRAM-SHA-512, over TLS. */
    SCRAM,
    /** A certificate, whose subject is mapped to the name of the user. */
    CERTIFICATE,
    /** A token of an issuer, got with the client's own secret, over TLS. */
    TOKEN;

    /** Returns the name of the listener for this way. */
    String listener() {
        return name();
    }
}
