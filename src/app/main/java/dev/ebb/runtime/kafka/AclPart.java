package dev.ebb.runtime.kafka;

import java.util.Locale;

/** Parties that work with the topics; each may have its own principal. */
public enum AclPart {
    /** {@code ebb topics create}, once and after each upgrade. */
    SETUP,
    /** {@code ebb run}. */
    RUN,
    /** The sinks of the mirror. */
    CONNECT,
    /** Senders of events. */
    PRODUCER,
    /** Writers of policies to the topic itself rather than by REST; they may delete data. */
    POLICY;

    /** Returns the principal that is shown where none is named. */
    public String defaultPrincipal() {
        return this == RUN ? "User:ebb" : "User:ebb-" + this;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
