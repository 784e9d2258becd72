package dev.ebb.topology.policy;

import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.change.Confirmation;
import dev.ebb.domain.policy.change.PolicyChange;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.topology.wire.EbbHeaders;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policies in force as this instance sees them: fed by the global store, read through one immutable view that
 * switches whole. The records of one file come into force together. Thread-safe.
 */
public final class PolicyViews {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyViews.class);

    /** Changes remembered, more than a file can have: the gate writes them to the audit within a second or two. */
    private static final int REMEMBERED_CHANGES = 100_000;

    /** Longest pause between two looks for a missing schema, since there is no notice of its arrival. */
    private static final long MAX_PAUSE_MS = 100;

    private final RecordReader reader;

    /** Policies of the next view; each record makes a view, so its cost must not grow with the number of policies. */
    private PolicySet policies;

    private final Map<String, Long> holdVersions = new HashMap<>();
    private final NavigableSet<Long> versionsOfHolds = new TreeSet<>();
    private final Map<String, Map<String, Accepted>> incomplete = new LinkedHashMap<>();
    private final Map<String, Long> newest = new HashMap<>();

    /** Holds in force of which the record cannot be read, by key: the streams that they cover are not known. */
    private final NavigableSet<String> lostHolds = new TreeSet<>();

    private final Deque<Accepted> undecoded = new ArrayDeque<>();

    /** Offset of the newest record of each key among those. */
    private final Map<String, Long> newestUndecoded = new HashMap<>();

    private final Deque<PolicyChange> changes = new ArrayDeque<>();
    private @Nullable String gateUnreadable;
    private List<WaitingPolicy> waiting = List.of();
    private long sourceOffset = -1;
    private long version = PolicySet.NO_VERSION;
    private long seenOffset = -1;
    private volatile boolean hasUndecoded;
    private volatile PolicyView view;

    /**
     * @param builtIn the policies that hold where no record says anything
     * @param reader reads the accepted records
     */
    public PolicyViews(BuiltInPolicies builtIn, RecordReader reader) {
        this.reader = reader;
        this.policies = PolicySet.empty(builtIn);
        this.view = new PolicyView(policies, sourceOffset, null);
    }

    /** The policies in force now. */
    public PolicyView current() {
        if (hasUndecoded) {
            decodeMore();
        }
        return view;
    }

    /**
     * First view of that kind, or the current one when the wait ends.
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

    /**
     * Notes that all that the topic holds has been seen: if the rest of a file was compacted away, the remaining
     * records are in force.
     *
     * @param endOffset the end of the topic when it was read; compaction may have removed records before it
     */
    public synchronized void restored(long endOffset) {
        seenOffset = Math.max(seenOffset, endOffset - 1);
        incomplete.values().forEach(records -> records.values().forEach(this::apply));
        incomplete.clear();
        publish();
    }

    /** Takes a record of the topic of accepted policies. */
    public synchronized void accept(Accepted accepted) {
        seenOffset = Math.max(seenOffset, accepted.offset());
        if (!accepted.isOfGate()) {
            publish();
            return;
        }
        undecoded.add(accepted);
        newestUndecoded.put(accepted.key(), accepted.offset());
        decodeMore();
    }

    private synchronized void decodeMore() {
        while (!undecoded.isEmpty() && takeOrPassOver(undecoded.peek())) {
            Accepted taken = undecoded.remove();
            newestUndecoded.remove(taken.key(), taken.offset());
        }
        hasUndecoded = !undecoded.isEmpty();
        publish();
    }

    /** Takes a record, or passes over a meaningless one, which must neither hold up later ones nor end the instance. */
    private boolean takeOrPassOver(Accepted accepted) {
        try {
            return take(accepted);
        } catch (RuntimeException e) {
            LOG.atError()
                    .setCause(e)
                    .addKeyValue("offset", accepted.offset())
                    .log("an accepted policy cannot be taken and is passed over");
            noteIfLostHold(accepted);
            return true;
        }
    }

    /** Returns false if the record cannot be read yet. */
    private boolean take(Accepted accepted) {
        byte[] value = accepted.value();
        DecodedPolicy decoded = value == null ? null : reader.readPolicy(accepted.key(), value);
        if (decoded instanceof DecodedPolicy.Pending) {
            return passOverIfSetAnew(accepted);
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

    /**
     * Passes over a record that was set anew: only its file counts it, so its schema, which may never come, is not
     * awaited.
     */
    private boolean passOverIfSetAnew(Accepted accepted) {
        boolean isSetAnew = newestUndecoded.getOrDefault(accepted.key(), -1L) > accepted.offset();
        if (isSetAnew && !accepted.key().equals(DecodedPolicy.MARK_KEY)) {
            collect(accepted);
        }
        return isSetAnew;
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

    /** Applies a record; a bad one, which the gate would not have let through, leaves the former one in force. */
    private void apply(Accepted accepted) {
        version = Math.max(version, accepted.offset());
        if (accepted.isUnread()) {
            return;
        }
        sourceOffset = Math.max(sourceOffset, accepted.sourceOffset());
        // The rest of an old file comes last at a start, and must not take the place of later records.
        if (accepted.isGood() && newest.getOrDefault(accepted.key(), -1L) < accepted.offset()) {
            newest.put(accepted.key(), accepted.offset());
            lostHolds.remove(accepted.key());
            change(PolicyKey.parse(accepted.key()), accepted);
        }
        noteIfLostHold(accepted);
    }

    /** Notes a hold whose record has no meaning: nothing is deleted until the hold is set or lifted anew. */
    private void noteIfLostHold(Accepted accepted) {
        boolean isHold =
                accepted.isOfPolicy() && PolicyKey.parse(accepted.key()).caseId() != null;
        boolean isNewest = newest.getOrDefault(accepted.key(), -1L) < accepted.offset();
        if (isHold && isNewest && !accepted.isGood()) {
            lostHolds.add(accepted.key());
        }
    }

    private void change(PolicyKey key, Accepted accepted) {
        Hold hold = accepted.hold();
        PolicyEdit edit = new PolicyEdit(key, accepted.policy(), hold);
        policies = policies.with(edit, accepted.offset(), version);
        String caseId = hold == null ? key.caseId() : hold.caseId();
        if (caseId != null) {
            noteHold(caseId, hold == null ? null : accepted.offset());
        }
        remember(key, accepted);
    }

    private void noteHold(String caseId, @Nullable Long holdVersion) {
        Long former = holdVersion == null ? holdVersions.remove(caseId) : holdVersions.put(caseId, holdVersion);
        if (former != null) {
            versionsOfHolds.remove(former);
        }
        if (holdVersion != null) {
            versionsOfHolds.add(holdVersion);
        }
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
        String unreadable = unreadable();
        if (policies.version() != version) {
            policies = policies.withVersion(version);
        }
        long holdVersion = versionsOfHolds.isEmpty() ? PolicySet.NO_VERSION : versionsOfHolds.last();
        view = new PolicyView(policies, sourceOffset, unreadable, waiting, holdVersion, readOffset());
        notifyAll();
    }

    private @Nullable String unreadable() {
        if (!lostHolds.isEmpty()) {
            return lostHolds.first() + " is in force and its record cannot be read; place or lift it again";
        }
        return hasUndecoded || !undecoded.isEmpty() ? "an accepted policy cannot be read yet" : gateUnreadable;
    }

    /** Offset up to which all is read; stands still while a record waits for its schema or file: it may be a hold. */
    private long readOffset() {
        return undecoded.isEmpty() && incomplete.isEmpty() ? seenOffset : view.readOffset();
    }

    /**
     * A record of the topic of accepted policies.
     *
     * @param key the scope, {@code hold:<case>}, or {@link DecodedPolicy#MARK_KEY}
     * @param value the bytes; null removes
     * @param decoded the decoded value; null until the bytes have been read, and for a removal
     * @param offset its offset there: the version
     * @param timestampMs its Kafka timestamp
     */
    public record Accepted(
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

        /** Whether the record was never read, since it was set anew before it could be. */
        boolean isUnread() {
            return value != null && decoded == null;
        }

        boolean isGood() {
            return isOfPolicy() && (value == null || policy() != null || hold() != null);
        }

        /** Whether the key is one of the gate; others can be neither set anew nor lifted, so nothing waits for them. */
        boolean isOfGate() {
            return key.equals(DecodedPolicy.MARK_KEY) || isOfPolicy();
        }

        private boolean isOfPolicy() {
            try {
                PolicyKey.parse(key);
                return true;
            } catch (IllegalArgumentException e) {
                return false;
            }
        }

        @Nullable
        RetentionPolicy policy() {
            return decoded instanceof DecodedPolicy.Policy policy ? policy.policy() : null;
        }

        @Nullable
        Hold hold() {
            return decoded instanceof DecodedPolicy.OfHold hold ? hold.hold() : null;
        }

        /** Author of the change, by the record itself or else by its headers; empty if unknown. */
        String actor() {
            RetentionPolicy policy = policy();
            Hold hold = hold();
            return said(policy != null ? policy.updatedBy() : hold != null ? hold.placedBy() : null, EbbHeaders.ACTOR);
        }

        /** Reason of the change; empty if unknown. */
        String reason() {
            RetentionPolicy policy = policy();
            Hold hold = hold();
            return said(policy != null ? policy.reason() : hold != null ? hold.reason() : null, EbbHeaders.REASON);
        }

        /** Confirmation that let the record through; null if it was never held back. */
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
