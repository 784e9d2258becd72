package dev.ebb.topology;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.policy.BrakeFinding;
import dev.ebb.domain.policy.Confirmation;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.serde.DecodedCommand;
import dev.ebb.serde.JsonState;
import dev.ebb.store.ParkedRecord;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    private final TopologyParts parts;
    private final Topics topics;
    private final TopologySettings settings;
    private final PolicyJournal journal;
    private @Nullable ProcessorContext<Addressed, byte[]> context;
    private @Nullable GateStore store;
    private @Nullable PolicyJudge judge;
    private @Nullable PolicyBrake brake;
    private @Nullable FileAssembly files;
    private @Nullable GateOutput output;
    private @Nullable String unreadable;
    private long lastOffset = -1;

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
        output = new GateOutput(parts, newContext, topics.partitions());
        judge = new PolicyJudge(parts.reader(), store);
        brake = new PolicyBrake(store, settings.builtIn(), assessments(), judge::judge, this::release);
        journal.begin(newContext, store);
        files = new FileAssembly(store);
        unreadable = null;
        lastOffset = -1;
        newContext.schedule(PERIOD, PunctuationType.WALL_CLOCK_TIME, this::tick);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        store().claim();
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
        // Each record of a big file would repeat all that waits; the next tick speaks if its rest does not come.
        if (!files().isWaiting()) {
            mark();
            output().hurry();
        }
    }

    private Assessments assessments() {
        return new Questions(parts.writer(), output(), settings.brakeLimits(), settings.recordMaxBytes());
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
        store().claim();
        for (ParkedRecord waiting : store().waiting()) {
            if (!take(waiting)) {
                break;
            }
            store().removeWaiting(waiting);
        }
        for (ParkedRecord member : files().giveUp(nowMs)) {
            output().reject(member, new Rejection(RejectReason.BAD_POLICY, "the rest of its file did not come"));
        }
        brake().advance(nowMs);
        mark();
        output().hurry();
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
        String file = FileAssembly.fileOf(record);
        if (file == null) {
            settle(List.of(verdict), "");
            return true;
        }
        List<ParkedRecord> members = files().add(record);
        if (!members.isEmpty()) {
            settle(members.stream().map(judge()::judge).toList(), file);
        }
        return true;
    }

    /** Rejects all of them if one is bad, or puts them into force unless the brake holds them back. */
    private void settle(List<PolicyVerdict> verdicts, String file) {
        long nowMs = context().currentSystemTimeMs();
        if (verdicts.stream().anyMatch(verdict -> verdict.rejection() != null)) {
            rejectAll(verdicts);
        } else {
            HeldBack change = change(verdicts, file, nowMs);
            switch (brake().take(change)) {
                case PASSES -> release(change, null);
                case WAITS -> {}
                case TOO_BIG -> {
                    Rejection tooBig = new Rejection(RejectReason.BAD_POLICY, String.valueOf(brake().tooBig(change)));
                    change.records().forEach(record -> output().reject(record, tooBig));
                }
            }
        }
        brake().advance(nowMs);
    }

    /** Of two records of a file for the same scope the later one counts, as on the topic. */
    private static HeldBack change(List<PolicyVerdict> verdicts, String file, long nowMs) {
        Map<PolicyKey, ParkedRecord> byKey = new LinkedHashMap<>();
        verdicts.forEach(verdict -> byKey.put(verdict.key(), verdict.record()));
        List<ParkedRecord> records = List.copyOf(byKey.values());
        String actor = verdicts.stream()
                .map(PolicyVerdict::actor)
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse("");
        return new HeldBack(records.get(0).offset(), file, actor, nowMs, null, records);
    }

    /** What was good when it came may have become bad while it waited. */
    private void release(HeldBack change, @Nullable Confirmation confirmation) {
        List<PolicyVerdict> verdicts =
                change.records().stream().map(judge()::judge).toList();
        if (verdicts.stream().allMatch(PolicyVerdict::isGood)) {
            verdicts.forEach(verdict -> accept(verdict, change, confirmation));
        } else {
            rejectAll(verdicts);
        }
    }

    private void rejectAll(List<PolicyVerdict> verdicts) {
        Rejection companion = new Rejection(RejectReason.BAD_POLICY, "another policy of the same file was refused");
        for (PolicyVerdict verdict : verdicts) {
            output().reject(verdict.record(), verdict.rejection() == null ? companion : verdict.rejection());
        }
    }

    private void confirm(ParkedRecord record, String key) {
        long version = EbbHeaders.number(record.headers(), EbbHeaders.CONFIRM_VERSION, -1);
        Confirmation by = new Confirmation(
                Objects.requireNonNullElse(EbbHeaders.text(record.headers(), EbbHeaders.ACTOR), ""),
                Objects.requireNonNullElse(EbbHeaders.text(record.headers(), EbbHeaders.REASON), ""));
        if (record.value() != null || !brake().confirm(key, version, by)) {
            String detail = "no version " + version + " of " + key + " waits for a confirmation";
            output().reject(record, new Rejection(RejectReason.BAD_POLICY, detail));
        }
        brake().advance(context().currentSystemTimeMs());
    }

    private void accept(PolicyVerdict verdict, HeldBack change, @Nullable Confirmation confirmation) {
        store().accept(verdict.key(), output().accept(verdict, change, confirmation));
        brake().accepted(verdict.edit());
    }

    private void mark() {
        List<ParkedRecord> unread = store().waiting();
        if (unread.isEmpty()) {
            output().mark(lastOffset, null, brake().waiting());
        } else {
            String reason = "a policy waits for " + Objects.requireNonNullElse(unreadable, "its schema");
            output().mark(unread.get(0).offset() - 1, reason, brake().waiting());
        }
    }

    private ProcessorContext<Addressed, byte[]> context() {
        return Objects.requireNonNull(context, "not initialised");
    }

    private PolicyBrake brake() {
        return Objects.requireNonNull(brake, "not initialised");
    }

    private GateOutput output() {
        return Objects.requireNonNull(output, "not initialised");
    }

    private FileAssembly files() {
        return Objects.requireNonNull(files, "not initialised");
    }

    private PolicyJudge judge() {
        return Objects.requireNonNull(judge, "not initialised");
    }

    private GateStore store() {
        return Objects.requireNonNull(store, "not initialised");
    }
}
