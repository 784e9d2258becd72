package dev.ebb.topology;

import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicyChange;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.serde.DecodedPolicy;
import dev.ebb.serde.RecordReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The policies in force as this instance sees them: fed by the global store, read through one immutable view that
 * switches whole. The records of one file come into force together. Thread-safe.
 */
public final class PolicyViews {

    private static final int REMEMBERED_CHANGES = 10_000;

    private final RecordReader reader;
    private final Map<Scope, VersionedPolicy> policies = new HashMap<>();
    private final Map<String, List<Accepted>> incomplete = new HashMap<>();
    private final Deque<Accepted> undecoded = new ArrayDeque<>();
    private final Deque<PolicyChange> changes = new ArrayDeque<>();
    private @Nullable String gateUnreadable;
    private long sourceOffset = -1;
    private long version = PolicySet.NO_VERSION;
    private volatile boolean hasUndecoded;
    private volatile PolicyView view;

    /**
     * @param builtIn what holds where no record says anything
     * @param reader reads the accepted records
     */
    public PolicyViews(BuiltInPolicies builtIn, RecordReader reader) {
        this.reader = reader;
        this.view = new PolicyView(PolicySet.empty(builtIn), sourceOffset, null);
    }

    /** The policies in force now. */
    public PolicyView current() {
        if (hasUndecoded) {
            decodeMore();
        }
        return view;
    }

    /** The changes with a higher version that this instance has seen, oldest first. */
    public synchronized List<PolicyChange> changesAfter(long seenVersion) {
        return changes.stream().filter(change -> change.version() > seenVersion).toList();
    }

    /** All that the topic holds has been seen: of a file whose rest was compacted away, what is left is in force. */
    public synchronized void restored() {
        incomplete.values().forEach(records -> records.forEach(this::apply));
        incomplete.clear();
        publish();
    }

    /** A record of the topic of accepted policies. */
    synchronized void accept(Accepted accepted) {
        undecoded.add(accepted);
        decodeMore();
    }

    private synchronized void decodeMore() {
        while (!undecoded.isEmpty() && take(undecoded.peek())) {
            undecoded.poll();
        }
        hasUndecoded = !undecoded.isEmpty();
        publish();
    }

    /** Returns false if the record cannot be read yet. */
    private boolean take(Accepted accepted) {
        byte[] value = accepted.value();
        DecodedPolicy decoded = value == null ? null : reader.readPolicy(accepted.key(), value);
        if (decoded instanceof DecodedPolicy.Pending) {
            return false;
        }
        if (decoded instanceof DecodedPolicy.Mark mark) {
            gateUnreadable = mark.unreadable();
            sourceOffset = Math.max(sourceOffset, mark.sourceOffset());
            return true;
        }
        collect(decoded instanceof DecodedPolicy.Policy policy ? accepted.with(policy.policy()) : accepted);
        return true;
    }

    /** Holds back the records of a file until all of it is in. */
    private void collect(Accepted accepted) {
        String applyId = EbbHeaders.text(accepted.headers(), EbbHeaders.APPLY_ID);
        if (applyId == null) {
            apply(accepted);
            return;
        }
        List<Accepted> records = incomplete.computeIfAbsent(applyId, id -> new ArrayList<>());
        records.add(accepted);
        if (records.size() >= EbbHeaders.number(accepted.headers(), EbbHeaders.APPLY_COUNT, 1)) {
            incomplete.remove(applyId);
            records.forEach(this::apply);
        }
    }

    private void apply(Accepted accepted) {
        Scope scope = Scope.parse(accepted.key());
        RetentionPolicy policy = accepted.policy();
        if (policy == null) {
            policies.remove(scope);
        } else {
            policies.put(scope, new VersionedPolicy(policy, accepted.offset()));
        }
        version = Math.max(version, accepted.offset());
        sourceOffset = Math.max(sourceOffset, accepted.sourceOffset());
        remember(scope, accepted);
    }

    private void remember(Scope scope, Accepted accepted) {
        RetentionPolicy policy = accepted.policy();
        changes.add(new PolicyChange(
                "policy-" + accepted.offset(),
                scope,
                accepted.offset(),
                policy,
                accepted.sourceOffset(),
                textOf(policy == null ? null : policy.updatedBy()),
                textOf(policy == null ? null : policy.reason()),
                accepted.timestampMs()));
        if (changes.size() > REMEMBERED_CHANGES) {
            changes.poll();
        }
    }

    private void publish() {
        String unreadable =
                hasUndecoded || !undecoded.isEmpty() ? "an accepted policy cannot be read yet" : gateUnreadable;
        PolicySet before = view.policies();
        PolicySet now = before.version() == version ? before : new PolicySet(policies, before.builtIn(), version);
        view = new PolicyView(now, sourceOffset, unreadable);
    }

    private static String textOf(@Nullable String text) {
        return text == null ? "" : text;
    }

    /**
     * A record of the topic of accepted policies.
     *
     * @param key the scope, or {@link DecodedPolicy#MARK_KEY}
     * @param value the bytes; null removes
     * @param policy what the bytes say; null until they have been read, and for a removal
     * @param offset its offset there: the version
     * @param timestampMs its Kafka timestamp
     */
    record Accepted(
            String key,
            byte @Nullable [] value,
            @Nullable RetentionPolicy policy,
            long offset,
            long timestampMs,
            Headers headers) {

        long sourceOffset() {
            return EbbHeaders.number(headers, EbbHeaders.SOURCE_OFFSET, -1);
        }

        Accepted with(RetentionPolicy decoded) {
            return new Accepted(key, value, decoded, offset, timestampMs, headers);
        }
    }
}
