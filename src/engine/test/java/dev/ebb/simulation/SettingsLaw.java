package dev.ebb.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.serde.records.SettingsJson;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What may ask for other settings (T-13): the gate, and only if its instance and those of all partitions have them. Of a
 * partition that has just moved, the last report counts for a while. That while begins when the gate takes the report in,
 * by whose clock the gate goes: in a walk a report may have been on its way for any time. Not thread-safe.
 */
final class SettingsLaw {

    /** Time for which a report counts, and some more for its way. */
    private static final long FRESH_MS = 31_000;

    private final World world;

    /** The last time at which a partition had such settings, or the gate took a report of them in, by partition. */
    private final Map<Integer, Map<String, Long>> had = new HashMap<>();

    SettingsLaw(World world) {
        this.world = world;
    }

    /** Looks at the instances, and at new records of the topic of policies. */
    void look(List<Message> policies) {
        world.partitions.forEach(this::remember);
        policies.stream()
                .filter(message ->
                        message.value() != null && message.textOfKey().equals(PolicyKey.SETTINGS.toString()))
                .forEach(message -> requireAgreement(
                        (DecodedPolicy.OfSettings) SettingsJson.read(Objects.requireNonNull(message.value()))));
    }

    /** Notes which settings the instance of the partition has. */
    void remember(Task task) {
        had.computeIfAbsent(task.partition, of -> new HashMap<>())
                .put(configured(task).toString(), world.nowMs);
    }

    /** The gate takes a report in, which counts from then on: in a walk it may have been on its way for long. */
    void reported(int partition, String settings) {
        had.computeIfAbsent(partition, of -> new HashMap<>()).put(settings, world.nowMs);
    }

    private static RetentionSettings configured(Task task) {
        return task.instance().settings.configured();
    }

    private void requireAgreement(DecodedPolicy.OfSettings asked) {
        RetentionSettings settings = asked.settings();
        assertThat(configured(world.gate))
                .as("settings of the gate that asks for others")
                .isEqualTo(settings);
        had.forEach((partition, known) -> assertThat(known)
                .as("settings that partition " + partition + " had a moment ago, at " + world.nowMs)
                .hasEntrySatisfying(settings.toString(), lastMs -> assertThat(Math.abs(world.nowMs - lastMs))
                        .isLessThanOrEqualTo(FRESH_MS)));
    }
}
