package dev.ebb.topology;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.serde.DecodedPolicy;
import dev.ebb.store.ParkedRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Lets through to the topic of accepted policies what can mean something, so that a bad record on the compacted topic of
 * policies never takes the place of the last good one, on no instance (M-11). The policies of one file pass together or
 * not at all. A record whose schema is not known yet holds up all behind it, and every sweep, until it can be read.
 */
final class PolicyGateProcessor implements Processor<byte[], byte[], Addressed, byte[]> {

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final long FILE_TIMEOUT_MS = Duration.ofMinutes(1).toMillis();

    private final TopologyParts parts;
    private final PolicyJournal journal;
    private final Map<String, Long> fileSeenMs = new HashMap<>();
    private @Nullable ProcessorContext<Addressed, byte[]> context;
    private @Nullable GateStore store;
    private @Nullable String unreadable;
    private long lastOffset = -1;
    private long markedOffset = -1;
    private @Nullable String markedReason;
    private boolean hasMarked;

    PolicyGateProcessor(TopologyParts parts, BuiltInPolicies builtIn) {
        this.parts = parts;
        this.journal = new PolicyJournal(parts, builtIn);
    }

    @Override
    public void init(ProcessorContext<Addressed, byte[]> newContext) {
        context = newContext;
        store = new GateStore(newContext.getStateStore(RetentionTopology.GATE_STORE));
        journal.begin(newContext, store);
        fileSeenMs.clear();
        unreadable = null;
        lastOffset = -1;
        markedOffset = -1;
        hasMarked = false;
        newContext.schedule(PERIOD, PunctuationType.WALL_CLOCK_TIME, this::tick);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        RecordMetadata metadata = context().recordMetadata().orElseThrow();
        ParkedRecord input = new ParkedRecord(
                metadata.topic(),
                metadata.partition(),
                metadata.offset(),
                record.timestamp(),
                record.key(),
                record.value(),
                record.headers());
        lastOffset = input.offset();
        if (!store().waiting().isEmpty() || !take(input)) {
            store().addWaiting(input);
        }
        mark();
    }

    private void tick(long nowMs) {
        for (ParkedRecord waiting : store().waiting()) {
            if (!take(waiting)) {
                break;
            }
            store().removeWaiting(waiting);
        }
        giveUpOnFiles(nowMs);
        mark();
        journal.write(nowMs);
    }

    /** Returns false if the record cannot be read yet. */
    private boolean take(ParkedRecord record) {
        Verdict verdict = judge(record);
        unreadable = verdict.waitsFor();
        if (unreadable != null) {
            return false;
        }
        String file = EbbHeaders.text(record.headers(), EbbHeaders.APPLY_ID);
        if (file == null) {
            settle(List.of(verdict), null);
            return true;
        }
        store().addToFile(record);
        List<ParkedRecord> members = membersOf(file);
        if (members.size() >= EbbHeaders.number(record.headers(), EbbHeaders.APPLY_COUNT, 1)) {
            members.forEach(store()::removeFromFile);
            settle(members.stream().map(this::judge).toList(), file);
        }
        return true;
    }

    private List<ParkedRecord> membersOf(String file) {
        return store().ofFiles().stream()
                .filter(member -> file.equals(EbbHeaders.text(member.headers(), EbbHeaders.APPLY_ID)))
                .toList();
    }

    /** Accepts all of them, or rejects all if one of them is bad. */
    private void settle(List<Verdict> verdicts, @Nullable String file) {
        boolean isAnyBad = verdicts.stream().anyMatch(verdict -> verdict.rejection() != null);
        for (Verdict verdict : verdicts) {
            if (isAnyBad) {
                Rejection companion =
                        new Rejection(RejectReason.BAD_POLICY, "another policy of the same file was refused");
                reject(verdict.record(), verdict.rejection() == null ? companion : verdict.rejection());
            } else {
                accept(verdict, file, verdicts.size());
            }
        }
    }

    private void accept(Verdict verdict, @Nullable String file, int count) {
        Scope scope = Scope.parse(keyOf(verdict.record()));
        RetentionPolicy policy = verdict.policy();
        byte[] value = policy == null ? null : parts.writer().policy(policy);
        store().accept(scope, value);
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.SOURCE_OFFSET, verdict.record().offset());
        if (file != null) {
            EbbHeaders.set(headers, EbbHeaders.APPLY_ID, file);
            EbbHeaders.set(headers, EbbHeaders.APPLY_COUNT, count);
        }
        forwardAccepted(scope.toString(), value, headers);
        markedOffset = Math.max(markedOffset, verdict.record().offset());
    }

    private void reject(ParkedRecord record, Rejection rejection) {
        parts.observer().rejected(rejection.reason());
        context().forward(Rejects.of(record, rejection, 0), RetentionTopology.POLICY_REJECTED_SINK);
    }

    private Verdict judge(ParkedRecord record) {
        String key = keyOf(record);
        byte[] value = record.value();
        if (value == null) {
            return Verdict.removal(record, problemOfScope(key));
        }
        DecodedPolicy decoded = parts.reader().readPolicy(key, value);
        if (decoded instanceof DecodedPolicy.Policy policy) {
            return new Verdict(record, policy.policy(), null, null);
        }
        if (decoded instanceof DecodedPolicy.Pending pending) {
            return new Verdict(record, null, null, pending.what());
        }
        Rejection rejection = decoded instanceof DecodedPolicy.Bad bad
                ? bad.rejection()
                : new Rejection(RejectReason.WRONG_TYPE, "this record type is no policy");
        return new Verdict(record, null, rejection, null);
    }

    private static @Nullable Rejection problemOfScope(String key) {
        try {
            Scope.parse(key);
            return null;
        } catch (IllegalArgumentException e) {
            return new Rejection(RejectReason.BAD_POLICY, String.valueOf(e.getMessage()));
        }
    }

    /**
     * The rest of a file that has not come within a minute is not on its way. The minute begins when the gate first looks
     * for the rest: after a start, the records of a whole file may be older than that.
     */
    private void giveUpOnFiles(long nowMs) {
        List<ParkedRecord> members = store().ofFiles();
        if (members.isEmpty()) {
            fileSeenMs.clear();
        }
        for (ParkedRecord member : members) {
            String file = Objects.requireNonNull(EbbHeaders.text(member.headers(), EbbHeaders.APPLY_ID));
            if (nowMs - fileSeenMs.computeIfAbsent(file, id -> nowMs) > FILE_TIMEOUT_MS) {
                store().removeFromFile(member);
                reject(member, new Rejection(RejectReason.BAD_POLICY, "the rest of its file did not come"));
            }
        }
    }

    /**
     * Tells the instances how far the gate has read where no accepted record does. What was said before a start is not
     * known, and may be that a policy cannot be read, so the first time it always speaks.
     */
    private void mark() {
        boolean isUnreadable = !store().waiting().isEmpty();
        String reason =
                isUnreadable ? "a policy waits for " + Objects.requireNonNullElse(unreadable, "its schema") : null;
        long offset = isUnreadable ? store().waiting().get(0).offset() - 1 : lastOffset;
        if (!hasMarked || offset > markedOffset || !Objects.equals(reason, markedReason)) {
            hasMarked = true;
            markedOffset = Math.max(markedOffset, offset);
            markedReason = reason;
            forwardAccepted(DecodedPolicy.MARK_KEY, parts.writer().mark(markedOffset, reason), new RecordHeaders());
        }
    }

    private void forwardAccepted(String key, byte @Nullable [] value, Headers headers) {
        Addressed address = new Addressed(key.getBytes(StandardCharsets.UTF_8), 0);
        long nowMs = context().currentSystemTimeMs();
        context().forward(new Record<>(address, value, nowMs, headers), RetentionTopology.ACCEPTED_SINK);
    }

    private static String keyOf(ParkedRecord record) {
        byte[] key = record.key();
        return key == null ? "" : new String(key, StandardCharsets.UTF_8);
    }

    private ProcessorContext<Addressed, byte[]> context() {
        return Objects.requireNonNull(context, "not initialised");
    }

    private GateStore store() {
        return Objects.requireNonNull(store, "not initialised");
    }

    /**
     * What is thought of a record.
     *
     * @param policy what it declares; null for a removal
     * @param rejection why it is refused; null if it is not
     * @param waitsFor what it waits for; null if it can be read
     */
    private record Verdict(
            ParkedRecord record,
            @Nullable RetentionPolicy policy,
            @Nullable Rejection rejection,
            @Nullable String waitsFor) {

        static Verdict removal(ParkedRecord record, @Nullable Rejection rejection) {
            return new Verdict(record, null, rejection, null);
        }
    }
}
