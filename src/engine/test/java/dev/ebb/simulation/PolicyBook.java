package dev.ebb.simulation;

import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.domain.policy.Scope;
import dev.ebb.model.RetentionModelPolicies;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.serde.records.SettingsJson;
import dev.ebb.topology.SimulatedNode;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Policies in force after some records of the topic of accepted policies, as the model reads them: a file switches whole,
 * and of two records of one key the later counts.
 */
final class PolicyBook {

    private record HoldInForce(Scope covers, long version) {}

    private final Codec codec;
    private final Map<String, Map<String, Message>> incomplete = new LinkedHashMap<>();
    private final Map<String, Long> newest = new HashMap<>();
    private final Map<String, HoldInForce> holds = new TreeMap<>();
    private RetentionModelPolicies current = new RetentionModelPolicies();
    private @Nullable RetentionSettings settings;
    private long version = -1;

    PolicyBook(Codec codec) {
        this.codec = codec;
    }

    /** Policies in force now; never changed, but replaced. */
    RetentionModelPolicies current() {
        return current;
    }

    long version() {
        return version;
    }

    /** Settings in force; null until the gate has accepted the first ones. */
    @Nullable
    RetentionSettings settings() {
        return settings;
    }

    /** Returns true if a hold that is in force since that version, or was before, covers the stream. */
    boolean isHeldSince(long since, String stream) {
        return holds.values().stream()
                .anyMatch(hold -> hold.version() <= since && RetentionModelPolicies.isOn(hold.covers(), stream));
    }

    void accept(Message message) {
        if (message.textOfKey().equals(DecodedPolicy.MARK_KEY)
                || message.textOfKey().equals(PolicyKey.SPENT.toString())
                || message.textOfKey().equals(PolicyKey.CLOCK.toString())) {
            return;
        }
        String file = SimulatedNode.header(message.headers(), EbbHeaders.APPLY_ID);
        if (file == null) {
            apply(List.of(message));
            return;
        }
        Map<String, Message> records = incomplete.computeIfAbsent(file, id -> new LinkedHashMap<>());
        records.put(message.textOfKey(), message);
        String count = SimulatedNode.header(message.headers(), EbbHeaders.APPLY_COUNT);
        if (records.size() >= (count == null ? 1 : Integer.parseInt(count))) {
            incomplete.remove(file);
            apply(List.copyOf(records.values()));
        }
    }

    /** The end of the topic has been reached: the rest of a file that compaction took will not come. */
    void restored() {
        List<Map<String, Message>> files = List.copyOf(incomplete.values());
        incomplete.clear();
        files.forEach(records -> apply(List.copyOf(records.values())));
    }

    private void apply(List<Message> messages) {
        RetentionModelPolicies next = current.copy();
        for (Message message : messages) {
            version = Math.max(version, message.offset());
            if (newest.getOrDefault(message.textOfKey(), -1L) < message.offset()) {
                newest.put(message.textOfKey(), message.offset());
                change(next, message);
            }
        }
        current = next;
    }

    private void change(RetentionModelPolicies next, Message message) {
        String key = message.textOfKey();
        byte[] value = message.value();
        if (key.equals(PolicyKey.SETTINGS.toString())) {
            settings = ((DecodedPolicy.OfSettings) SettingsJson.read(Objects.requireNonNull(value))).settings();
            next.settings(settings.maxAge(), settings.mode());
            return;
        }
        @Nullable Object said = value == null ? null : codec.object(value);
        if (key.startsWith("hold:")) {
            String caseId = key.substring("hold:".length());
            Hold hold = (Hold) said;
            next.hold(caseId, hold == null ? null : hold.covers());
            if (hold == null) {
                holds.remove(caseId);
            } else {
                holds.put(caseId, new HoldInForce(hold.covers(), message.offset()));
            }
        } else {
            next.put(key, (RetentionPolicy) said);
        }
    }
}
