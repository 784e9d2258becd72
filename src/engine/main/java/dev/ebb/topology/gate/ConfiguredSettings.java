package dev.ebb.topology.gate;

import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.serde.records.SettingsJson;
import dev.ebb.serde.schemas.RejectedException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of the instances that decide deletes, compared with those that the gate has accepted (T-13). The first
 * start of an application brings its settings into force at once, since nothing is stored yet. Later, a difference
 * becomes a change like a policy once this instance and those of all partitions have the same settings: as long as
 * they disagree, as in a rolling restart, the accepted settings act. Accepted settings that cannot be read stop all
 * acceptance, since nothing can be compared with them. Not thread-safe.
 */
final class ConfiguredSettings {

    /** Name of the author of a change that comes from the configuration. */
    static final String ACTOR = "configuration";

    /** Time for which the report of a partition counts; partitions that disagree repeat theirs more often. */
    private static final long FRESH_MS = 30_000;

    /** Time after which the change is asked for again if it has neither come into force nor waits. */
    private static final long ASK_AGAIN_MS = 60_000;

    /**
     * Time for which all instances must agree: while one restarts, the others have its partitions and agree without it.
     */
    private static final long AGREED_MS = 60_000;

    /**
     * Longest time between two looks, of which there is one a second: more is a jump of the clock or a pause, which
     * is no agreement (T-14).
     */
    private static final long MOST_BETWEEN_LOOKS_MS = 10_000;

    private static final long NOT_AGREED = -1;

    private static final Logger LOG = LoggerFactory.getLogger(ConfiguredSettings.class);

    private final RetentionSettings configured;
    private final GateStore store;
    private final GateOutput output;
    private final PolicyBrake brake;
    private final Map<Integer, Report> reports = new HashMap<>();
    private @Nullable RetentionSettings accepted;
    private @Nullable Wait unreadable;
    private long askedMs = Long.MIN_VALUE;

    /** The time for which all instances have agreed; {@link #NOT_AGREED} while they disagree. */
    private long agreedForMs = NOT_AGREED;

    private long lookedMs;

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
     * Returns the accepted settings; null if they cannot be read. If there are none, this is the first start of the
     * application, or the gate has lost its state.
     *
     * @param seen the accepted settings that this instance has seen; null if there are none
     */
    @Nullable
    RetentionSettings begin(@Nullable RetentionSettings seen) {
        byte[] stored = store.accepted(PolicyKey.SETTINGS);
        if (stored == null) {
            stored = SettingsJson.write(seen == null ? configured : seen);
            store.accept(PolicyKey.SETTINGS, stored);
        }
        accepted = read(stored);
        if (seen == null && accepted != null) {
            // No instance becomes ready without them, and the topic may have lost them.
            output.acceptFirst(stored);
        }
        return accepted;
    }

    private @Nullable RetentionSettings read(byte[] stored) {
        DecodedPolicy decoded = decoded(stored);
        if (decoded instanceof DecodedPolicy.OfSettings of) {
            return of.settings();
        }
        unreadable = new Wait("the settings in force", Wait.Kind.POLICIES, SettingsJson.UNREADABLE);
        LOG.atError()
                .addKeyValue("settings", new String(stored, StandardCharsets.UTF_8))
                .addKeyValue("why", decoded instanceof DecodedPolicy.Bad bad ? bad.rejection() : "no JSON")
                .log("the settings in force cannot be read; nothing is deleted, and no policy is accepted");
        return null;
    }

    private static @Nullable DecodedPolicy decoded(byte[] stored) {
        try {
            return SettingsJson.read(stored);
        } catch (RejectedException e) {
            return null;
        }
    }

    /** Returns the reason why nothing may be accepted: the settings in force cannot be read; null if they can. */
    @Nullable
    Wait unreadable() {
        return unreadable;
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

    /** Asks for a change if the instances agree on one, or withdraws one that is no longer wanted. */
    void advance(long nowMs) {
        RetentionSettings known = accepted;
        if (known == null) {
            return;
        }
        boolean isAgreed = hasBeenAgreed(nowMs);
        if (known.equals(configured)) {
            brake.withdraw(PolicyKey.SETTINGS, "the configuration has the settings in force again");
        } else if (isAgreed && mayAsk(nowMs) && !brake.holds(PolicyKey.SETTINGS, SettingsJson.write(configured))) {
            askedMs = nowMs;
            String why = String.join("; ", configured.differencesFrom(known));
            output.askForSettings(SettingsJson.write(configured), ACTOR, why);
        }
    }

    private boolean mayAsk(long nowMs) {
        return askedMs == Long.MIN_VALUE || Math.abs(nowMs - askedMs) >= ASK_AGAIN_MS;
    }

    /** Returns true if all instances have had the settings of this one for long enough. */
    private boolean hasBeenAgreed(long nowMs) {
        long passedMs = agreedForMs == NOT_AGREED ? 0 : Math.max(0, nowMs - lookedMs);
        long longerMs = Math.max(0, agreedForMs) + Math.min(passedMs, MOST_BETWEEN_LOOKS_MS);
        lookedMs = nowMs;
        agreedForMs = agree(nowMs) ? longerMs : NOT_AGREED;
        return agreedForMs >= AGREED_MS;
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
