package dev.ebb.topology;

import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.Confirmation;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyChange;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.domain.policy.WaitingPolicy;
import dev.ebb.serde.DecodedPolicy;
import dev.ebb.serde.RecordReader;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The policies in force as this instance sees them: fed by the global store, read through one immutable view that
 * switches whole. The records of one file come into force together. Thread-safe.
 */
public final class PolicyViews {

    /** More than a file can have: the gate writes them to the audit within a second or two. */
    private static final int REMEMBERED_CHANGES = 100_000;

    /** Nobody tells when a schema that was missing can be had. */
    private static final long MAX_PAUSE_MS = 100;

    private final RecordReader reader;
    private final Map<Scope, VersionedPolicy> policies = new HashMap<>();
    private final Map<String, Hold> holds = new HashMap<>();
    private final Map<String, Long> holdVersions = new HashMap<>();
    private final Map<String, Map<String, Accepted>> incomplete = new LinkedHashMap<>();
    private final Map<String, Long> newest = new HashMap<>();
    private final Deque<Accepted> undecoded = new ArrayDeque<>();
    private final Deque<PolicyChange> changes = new ArrayDeque<>();
    private @Nullable String gateUnreadable;
    private List<WaitingPolicy> waiting = List.of();
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

    /**
     * The first view of that kind, or what there is when the wait ends.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public synchronized PolicyView await(Predicate<PolicyView> isIt, Duration wait) throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        while (true) {
            PolicyView now = current();
            long leftMs = Math.min(TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()), MAX_PAUSE_MS);
            if (leftMs <= 0 || isIt.test(now)) {
                return now;
            }
            wait(leftMs);
        }
    }

    /** The changes with a higher version that this instance has seen, oldest first. */
    public synchronized List<PolicyChange> changesAfter(long seenVersion) {
        return changes.stream().filter(change -> change.version() > seenVersion).toList();
    }

    /** All that the topic holds has been seen: of a file whose rest was compacted away, what is left is in force. */
    public synchronized void restored() {
        incomplete.values().forEach(records -> records.values().forEach(this::apply));
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
            waiting = mark.waiting();
            sourceOffset = Math.max(sourceOffset, mark.sourceOffset());
            return true;
        }
        collect(accepted.with(decoded));
        return true;
    }

    /** Holds back the records of a file until all of it is in; one that comes twice counts once. */
    private void collect(Accepted accepted) {
        String applyId = EbbHeaders.text(accepted.headers(), EbbHeaders.APPLY_ID);
        if (applyId == null) {
            apply(accepted);
            return;
        }
        Map<String, Accepted> records = incomplete.computeIfAbsent(applyId, id -> new LinkedHashMap<>());
        records.put(accepted.key(), accepted);
        if (records.size() >= EbbHeaders.number(accepted.headers(), EbbHeaders.APPLY_COUNT, 1)) {
            incomplete.remove(applyId);
            records.values().forEach(this::apply);
        }
    }

    /** What turns out to be no good, which the gate would not have let through, leaves in force what was there. */
    private void apply(Accepted accepted) {
        version = Math.max(version, accepted.offset());
        sourceOffset = Math.max(sourceOffset, accepted.sourceOffset());
        // What is left of an old file comes last at a start, and must not take the place of what came after it.
        if (accepted.isGood() && newest.getOrDefault(accepted.key(), -1L) < accepted.offset()) {
            newest.put(accepted.key(), accepted.offset());
            change(PolicyKey.parse(accepted.key()), accepted);
        }
    }

    private void change(PolicyKey key, Accepted accepted) {
        RetentionPolicy policy = accepted.policy();
        Hold hold = accepted.hold();
        if (policy != null) {
            policies.put(policy.scope(), new VersionedPolicy(policy, accepted.offset()));
        } else if (hold != null) {
            holds.put(hold.caseId(), hold);
            holdVersions.put(hold.caseId(), accepted.offset());
        } else {
            policies.remove(key.scope());
            holds.remove(key.caseId());
            holdVersions.remove(key.caseId());
        }
        remember(key, accepted);
    }

    private void remember(PolicyKey key, Accepted accepted) {
        PolicyChange change = new PolicyChange(
                "policy-" + accepted.offset(),
                key,
                accepted.offset(),
                accepted.policy(),
                accepted.hold(),
                accepted.sourceOffset(),
                accepted.actor(),
                accepted.reason(),
                accepted.timestampMs());
        changes.add(change);
        Confirmation confirmation = accepted.confirmation();
        if (confirmation != null) {
            changes.add(change.confirmed(confirmation));
        }
        while (changes.size() > REMEMBERED_CHANGES) {
            changes.poll();
        }
    }

    private void publish() {
        String unreadable =
                hasUndecoded || !undecoded.isEmpty() ? "an accepted policy cannot be read yet" : gateUnreadable;
        PolicySet before = view.policies();
        PolicySet now =
                before.version() == version ? before : new PolicySet(policies, holds, before.builtIn(), version);
        long holdVersion =
                holdVersions.values().stream().mapToLong(Long::longValue).max().orElse(PolicySet.NO_VERSION);
        view = new PolicyView(now, sourceOffset, unreadable, waiting, holdVersion);
        notifyAll();
    }

    /**
     * A record of the topic of accepted policies.
     *
     * @param key the scope, {@code hold:<case>}, or {@link DecodedPolicy#MARK_KEY}
     * @param value the bytes; null removes
     * @param decoded what the bytes say; null until they have been read, and for a removal
     * @param offset its offset there: the version
     * @param timestampMs its Kafka timestamp
     */
    record Accepted(
            String key,
            byte @Nullable [] value,
            @Nullable DecodedPolicy decoded,
            long offset,
            long timestampMs,
            Headers headers) {

        long sourceOffset() {
            return EbbHeaders.number(headers, EbbHeaders.SOURCE_OFFSET, -1);
        }

        Accepted with(@Nullable DecodedPolicy read) {
            return new Accepted(key, value, read, offset, timestampMs, headers);
        }

        boolean isGood() {
            return value == null || policy() != null || hold() != null;
        }

        @Nullable
        RetentionPolicy policy() {
            return decoded instanceof DecodedPolicy.Policy policy ? policy.policy() : null;
        }

        @Nullable
        Hold hold() {
            return decoded instanceof DecodedPolicy.OfHold hold ? hold.hold() : null;
        }

        /** Who asked for it: what the record says itself, or else its headers; empty if unknown. */
        String actor() {
            RetentionPolicy policy = policy();
            Hold hold = hold();
            return said(policy != null ? policy.updatedBy() : hold != null ? hold.placedBy() : null, EbbHeaders.ACTOR);
        }

        /** Why; empty if unknown. */
        String reason() {
            RetentionPolicy policy = policy();
            Hold hold = hold();
            return said(policy != null ? policy.reason() : hold != null ? hold.reason() : null, EbbHeaders.REASON);
        }

        /** Who let it through; null if it was never held back. */
        @Nullable
        Confirmation confirmation() {
            String actor = EbbHeaders.text(headers, EbbHeaders.CONFIRMED_BY);
            String reason = EbbHeaders.text(headers, EbbHeaders.CONFIRMED_REASON);
            return actor == null ? null : new Confirmation(actor, reason == null ? "" : reason);
        }

        private String said(@Nullable String inRecord, String header) {
            String text = inRecord == null || inRecord.isEmpty() ? EbbHeaders.text(headers, header) : inRecord;
            return text == null ? "" : text;
        }
    }
}
