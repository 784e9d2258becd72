package dev.ebb.topology;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.domain.time.Durations;
import dev.ebb.serde.text.JsonState;
import dev.ebb.topology.removal.Outbox;
import dev.ebb.topology.wire.ErrandBodies.Configured;

/**
 * Report of a partition to the policy gate that its instance is configured otherwise than the settings in force
 * (T-13). It is repeated, so that the gate knows of all instances whenever it has moved; where the settings agree, it
 * costs nothing. Not thread-safe.
 */
final class SettingsReport {

    /** Time between two reports; the gate counts a report for three times as long. */
    private static final long PERIOD_MS = 10_000;

    private final RetentionSettings configured;
    private final Outbox outbox;
    private final int partition;
    private boolean isDue = true;
    private long nextMs;

    SettingsReport(RetentionSettings configured, Outbox outbox, int partition) {
        this.configured = configured;
        this.outbox = outbox;
        this.partition = partition;
    }

    /** Sends the report if one is due. */
    void look(RetentionSettings inForce, long nowMs) {
        if (configured.equals(inForce)) {
            isDue = true;
            return;
        }
        if (isDue || Durations.isOver(nextMs, PERIOD_MS, nowMs)) {
            isDue = false;
            nextMs = nowMs + PERIOD_MS;
            String body = JsonState.write(new Configured(configured.toString()));
            outbox.assessment(new Errand("settings-" + partition, Errand.Step.CONFIGURED, partition, body), nowMs);
        }
    }

    /** Returns the time of the next report; {@link Long#MAX_VALUE} if none is due. */
    long nextMs(RetentionSettings inForce) {
        return configured.equals(inForce) ? Long.MAX_VALUE : nextMs;
    }
}
