package dev.ebb.store.layout;

import dev.ebb.domain.event.TerminalStatuses;
import org.jspecify.annotations.Nullable;

/**
 * The terminal statuses by which a partition sorts its events. They may change while the partition works (T-13); each
 * stream is then led to them like to a new policy. Not thread-safe.
 */
public final class StatusesInForce {

    private TerminalStatuses statuses;
    private int fingerprint;

    public StatusesInForce(TerminalStatuses statuses) {
        this.statuses = statuses;
        this.fingerprint = statuses.fingerprint();
    }

    /** Brings these statuses into force. */
    public void change(TerminalStatuses newest) {
        statuses = newest;
        fingerprint = newest.fingerprint();
    }

    public TerminalStatuses current() {
        return statuses;
    }

    /** Returns true if the status is one of finished work; see {@link TerminalStatuses#isTerminal}. */
    public boolean isTerminal(@Nullable String status) {
        return statuses.isTerminal(status);
    }

    /** Returns the fingerprint of the statuses. */
    public int fingerprint() {
        return fingerprint;
    }
}
