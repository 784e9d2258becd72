package dev.ebb.topology.gate;

import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.serde.records.SettingsJson;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the instances that decide deletes, compared with those that the gate has accepted (T-13). The first
 * start of an application brings its settings into force at once, since nothing is stored yet. Later, a difference
 * becomes a change like a policy once this instance and those of all partitions have the same settings: as long as
 * they disagree, as in a rolling restart, the accepted settings act. Not thread-safe.
 */
final class ConfiguredSettings {

    /** Name of the author of a change that comes from the configuration. */
    static final String ACTOR = "configuration";

    /** Time for which the report of a partition counts; partitions that disagree repeat theirs more often. */
    private static final long FRESH_MS = 30_000;

    /** Time after which the change is asked for again if it has neither come into force nor waits. */
    private static final long ASK_AGAIN_MS = 60_000;

    private final RetentionSettings configured;
    private final GateStore store;
    private final GateOutput output;
    private final PolicyBrake brake;
    private final Map<Integer, Report> reports = new HashMap<>();
    private @Nullable RetentionSettings accepted;
    private long askedMs = Long.MIN_VALUE;

    /** @param configured the settings of this instance */
    ConfiguredSettings(RetentionSettings configured, GateStore store, GateOutput output, PolicyBrake brake) {
        this.configured = configured;
        this.store = store;
        this.output = output;
        this.brake = brake;
    }

    /** The last report of a partition. */
    private record Report(String settings, long atMs) {}

    /**
     * Returns the accepted settings. If there are none, this is the first start of the application, or the gate has lost
     * its state.
     *
     * @param seen the accepted settings that this instance has seen; null if there are none
     */
    RetentionSettings begin(@Nullable RetentionSettings seen) {
        RetentionSettings known = stored();
        if (known == null) {
            known = seen == null ? configured : seen;
            byte[] value = SettingsJson.write(known);
            store.accept(PolicyKey.SETTINGS, value);
            if (seen == null) {
                output.acceptFirst(value);
            }
        }
        accepted = known;
        return known;
    }

    private @Nullable RetentionSettings stored() {
        byte[] value = store.accepted(PolicyKey.SETTINGS);
        return value != null && SettingsJson.read(value) instanceof DecodedPolicy.OfSettings of ? of.settings() : null;
    }

    /** Takes the report of a partition whose instance has other settings than the accepted ones. */
    void report(int partition, String settings, long nowMs) {
        reports.put(partition, new Report(settings, nowMs));
    }

    /** Notes settings that come into force. */
    void accepted(RetentionSettings settings) {
        accepted = settings;
    }

    /**
     * Returns the reason why a record of the topic of policies must not bring these settings into force; null if it may.
     */
    @Nullable
    String problem(RetentionSettings settings) {
        return settings.equals(configured)
                ? null
                : "the settings come from the configuration of the instances; that of the policy gate is " + configured;
    }

    /** Asks for a change if the instances agree on one, or withdraws the one that nobody wants any more. */
    void advance(long nowMs) {
        RetentionSettings known = accepted;
        if (known == null) {
            return;
        }
        if (known.equals(configured)) {
            brake.withdraw(PolicyKey.SETTINGS, "the configuration has the settings in force again");
        } else if (agree(nowMs) && mayAsk(nowMs) && !brake.holds(PolicyKey.SETTINGS, SettingsJson.write(configured))) {
            askedMs = nowMs;
            String why = String.join("; ", configured.differencesFrom(known));
            output.askForSettings(SettingsJson.write(configured), ACTOR, why);
        }
    }

    private boolean mayAsk(long nowMs) {
        return askedMs == Long.MIN_VALUE || Math.abs(nowMs - askedMs) >= ASK_AGAIN_MS;
    }

    private boolean agree(long nowMs) {
        String wanted = configured.toString();
        for (int partition = 0; partition < output.partitions(); partition++) {
            Report report = reports.get(partition);
            if (report == null
                    || Math.abs(nowMs - report.atMs()) > FRESH_MS
                    || !report.settings().equals(wanted)) {
                return false;
            }
        }
        return true;
    }
}
