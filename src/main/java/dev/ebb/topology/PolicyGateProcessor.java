package dev.ebb.topology;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.policy.BrakeFinding;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.WaitingPolicy;
import dev.ebb.serde.DecodedCommand;
import dev.ebb.serde.DecodedPolicy;
import dev.ebb.serde.JsonState;
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
    private final Topics topics;
    private final TopologySettings settings;
    private final PolicyJournal journal;
    private final Map<String, Long> fileSeenMs = new HashMap<>();
    private @Nullable ProcessorContext<Addressed, byte[]> context;
    private @Nullable GateStore store;
    private @Nullable PolicyJudge judge;
    private @Nullable PolicyBrake brake;
    private List<WaitingPolicy> markedWaiting = List.of();
    private @Nullable String unreadable;
    private long lastOffset = -1;
    private long markedOffset = -1;
    private @Nullable String markedReason;
    private boolean hasMarked;

    PolicyGateProcessor(Topics topics, TopologySettings settings, TopologyParts parts) {
        this.topics = topics;
        this.settings = settings;
        this.parts = parts;
        this.journal = new PolicyJournal(parts, settings.builtIn());
    }

    @Override
    public void init(ProcessorContext<Addressed, byte[]> newContext) {
        context = newContext;
        store = new GateStore(newContext.getStateStore(RetentionTopology.GATE_STORE));
        judge = new PolicyJudge(parts.reader(), store);
        brake = new PolicyBrake(store, settings.builtIn(), assessments(newContext), judge::judge, this::release);
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
        if (metadata.topic().equals(topics.assessments())) {
            takeAnswer(input);
        } else {
            takePolicy(input);
        }
        mark();
    }

    private Assessments assessments(ProcessorContext<Addressed, byte[]> newContext) {
        return new Questions(
                parts.writer(), newContext, topics.partitions(), settings.brakeLimits(), () -> markedOffset);
    }

    /** What cannot be read is as good as no answer: the brake asks again. */
    private void takeAnswer(ParkedRecord record) {
        DecodedCommand decoded = parts.reader().readCommand(record.topic(), record.headers(), record.value());
        if (decoded instanceof DecodedCommand.OfErrand answer) {
            Errand errand = answer.errand();
            BrakeFinding finding = JsonState.read(errand.body(), BrakeFinding.class);
            brake().answered(
                            errand.commandId(),
                            errand.sender(),
                            finding,
                            context().currentSystemTimeMs());
        }
    }

    private void takePolicy(ParkedRecord input) {
        lastOffset = input.offset();
        if (!store().waiting().isEmpty() || !take(input)) {
            store().addWaiting(input);
        }
    }

    private void tick(long nowMs) {
        for (ParkedRecord waiting : store().waiting()) {
            if (!take(waiting)) {
                break;
            }
            store().removeWaiting(waiting);
        }
        giveUpOnFiles(nowMs);
        brake().advance(nowMs);
        mark();
        journal.write(nowMs);
    }

    /** Returns false if the record cannot be read yet. */
    private boolean take(ParkedRecord record) {
        String key = PolicyJudge.keyOf(record);
        if (key.startsWith(EbbHeaders.CONFIRM)) {
            confirm(record, key.substring(EbbHeaders.CONFIRM.length()));
            return true;
        }
        PolicyVerdict verdict = judge().judge(record);
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
            settle(members.stream().map(judge()::judge).toList(), file);
        }
        return true;
    }

    private List<ParkedRecord> membersOf(String file) {
        return store().ofFiles().stream()
                .filter(member -> file.equals(EbbHeaders.text(member.headers(), EbbHeaders.APPLY_ID)))
                .toList();
    }

    /** Rejects all of them if one is bad, or puts them into force unless the brake holds them back. */
    private void settle(List<PolicyVerdict> verdicts, @Nullable String file) {
        List<ParkedRecord> records =
                verdicts.stream().map(PolicyVerdict::record).toList();
        long nowMs = context().currentSystemTimeMs();
        HeldBack change = new HeldBack(records.get(0).offset(), file == null ? "" : file, nowMs, null, records);
        if (verdicts.stream().anyMatch(verdict -> verdict.rejection() != null)) {
            rejectAll(verdicts);
        } else if (brake().admits(change)) {
            release(change);
        }
        brake().advance(nowMs);
    }

    /** What was good when it came may have become bad while it waited. */
    private void release(HeldBack change) {
        List<PolicyVerdict> verdicts =
                change.records().stream().map(judge()::judge).toList();
        if (verdicts.stream().allMatch(PolicyVerdict::isGood)) {
            String file = change.file().isEmpty() ? null : change.file();
            verdicts.forEach(verdict -> accept(verdict, file, verdicts.size()));
        } else {
            rejectAll(verdicts);
        }
    }

    private void rejectAll(List<PolicyVerdict> verdicts) {
        Rejection companion = new Rejection(RejectReason.BAD_POLICY, "another policy of the same file was refused");
        for (PolicyVerdict verdict : verdicts) {
            reject(verdict.record(), verdict.rejection() == null ? companion : verdict.rejection());
        }
    }

    private void confirm(ParkedRecord record, String key) {
        long version = EbbHeaders.number(record.headers(), EbbHeaders.CONFIRM_VERSION, -1);
        if (record.value() != null || !brake().confirm(key, version)) {
            String detail = "no version " + version + " of " + key + " waits for a confirmation";
            reject(record, new Rejection(RejectReason.BAD_POLICY, detail));
        }
        brake().advance(context().currentSystemTimeMs());
    }

    private void accept(PolicyVerdict verdict, @Nullable String file, int count) {
        ParkedRecord record = verdict.record();
        byte[] value = bytes(verdict);
        store().accept(verdict.key(), value);
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.SOURCE_OFFSET, record.offset());
        EbbHeaders.copy(record.headers(), headers, EbbHeaders.ACTOR);
        EbbHeaders.copy(record.headers(), headers, EbbHeaders.REASON);
        if (file != null) {
            EbbHeaders.set(headers, EbbHeaders.APPLY_ID, file);
            EbbHeaders.set(headers, EbbHeaders.APPLY_COUNT, count);
        }
        forwardAccepted(verdict.key().toString(), value, headers);
        markedOffset = Math.max(markedOffset, record.offset());
        brake().accepted(verdict.edit());
    }

    private byte @Nullable [] bytes(PolicyVerdict verdict) {
        RetentionPolicy policy = verdict.policy();
        Hold hold = verdict.hold();
        if (hold != null) {
            return parts.writer().hold(hold);
        }
        return policy == null ? null : parts.writer().policy(policy);
    }

    private void reject(ParkedRecord record, Rejection rejection) {
        parts.observer().rejected(rejection.reason());
        context().forward(Rejects.of(record, rejection, 0), RetentionTopology.POLICY_REJECTED_SINK);
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
        List<WaitingPolicy> waiting = brake().waiting();
        boolean isNew = !Objects.equals(reason, markedReason) || !waiting.equals(markedWaiting);
        if (!hasMarked || offset > markedOffset || isNew) {
            hasMarked = true;
            markedOffset = Math.max(markedOffset, offset);
            markedReason = reason;
            markedWaiting = waiting;
            byte[] mark = parts.writer().mark(markedOffset, reason, waiting);
            forwardAccepted(DecodedPolicy.MARK_KEY, mark, new RecordHeaders());
        }
    }

    private void forwardAccepted(String key, byte @Nullable [] value, Headers headers) {
        Addressed address = new Addressed(key.getBytes(StandardCharsets.UTF_8), 0);
        long nowMs = context().currentSystemTimeMs();
        context().forward(new Record<>(address, value, nowMs, headers), RetentionTopology.ACCEPTED_SINK);
    }

    private ProcessorContext<Addressed, byte[]> context() {
        return Objects.requireNonNull(context, "not initialised");
    }

    private PolicyBrake brake() {
        return Objects.requireNonNull(brake, "not initialised");
    }

    private PolicyJudge judge() {
        return Objects.requireNonNull(judge, "not initialised");
    }

    private GateStore store() {
        return Objects.requireNonNull(store, "not initialised");
    }
}
