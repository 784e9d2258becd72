package dev.ebb.topology.gate;

import dev.ebb.domain.Shortened;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.Confirmation;
import dev.ebb.serde.records.DecodedCommand;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.parking.ParkingLimits;
import dev.ebb.topology.fault.FailedRecords;
import dev.ebb.topology.fault.FailedWork;
import dev.ebb.topology.fault.RecordGuard;
import dev.ebb.topology.parking.DroppedBy;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.policy.Signature;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.ErrandDoor;
import dev.ebb.topology.wire.ErrandDoor.Opened;
import dev.ebb.topology.wire.Nodes;
import dev.ebb.topology.wire.Topics;
import java.time.Duration;
import java.util.Collection;
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
 * Lets through to the topic of accepted policies only records that can mean something, so that a bad record on the
 * compacted topic of policies never takes the place of the last good one, on no instance (M-11). The policies of one
 * file pass together or not at all. A record whose schema is not known yet holds up the later ones of its scope or case
 * and its file, see {@link UnreadPolicies}, and every sweep, until it can be read or is dropped.
 */
public final class PolicyGateProcessor implements Processor<byte[], byte[], Addressed, byte[]> {

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final int MAX_FILE_ID = 255;
    private static final long MAX_WAITING_BYTES = 32 << 20;

    /** Changes that may be named for each millisecond that passes, on average. */
    private static final int MARKED_IN_A_MS = 20;

    private final TopologyParts parts;
    private final Topics topics;
    private final TopologySettings settings;
    private final FailedRecords failed;
    private final ErrandDoor door;
    private final PolicyJournal journal;
    private @Nullable ProcessorContext<Addressed, byte[]> context;
    private @Nullable GateStore store;
    private @Nullable PolicyJudge judge;
    private @Nullable PolicyBrake brake;
    private @Nullable FileAssembly files;
    private @Nullable GateOutput output;
    private @Nullable RecordGuard guard;
    private @Nullable UnreadPolicies unread;

    /** The newest offset of the topic of policies that was read, by a former task or this one. */
    private long lastOffset = -1;

    private boolean hasBegun;
    private long markedMs;

    public PolicyGateProcessor(Topics topics, TopologySettings settings, TopologyParts parts, FailedRecords failed) {
        this.failed = failed;
        this.door = new ErrandDoor(ErrandDoor.NONE, topics.partitions(), parts.reader());
        this.topics = topics;
        this.settings = settings;
        this.parts = parts;
        this.journal = new PolicyJournal(parts, settings.builtIn(), settings.limits(), topics.policies());
    }

    @Override
    public void init(ProcessorContext<Addressed, byte[]> newContext) {
        context = newContext;
        store = new GateStore(newContext.getStateStore(Nodes.GATE_STORE));
        output = new GateOutput(parts, newContext, topics.partitions(), settings.limits());
        guard = new RecordGuard(failed, parts.observer(), output()::reject);
        judge = new PolicyJudge(parts.reader(), store);
        brake = new PolicyBrake(store, settings.builtIn(), assessments(), judge::judge, this::release, this::refuse);
        journal.begin(newContext, store);
        files = new FileAssembly(store, limits());
        unread = new UnreadPolicies(store, files, limits());
        lastOffset = -1;
        hasBegun = false;
        newContext.schedule(PERIOD, PunctuationType.WALL_CLOCK_TIME, this::tick);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        begin();
        RecordMetadata metadata = context().recordMetadata().orElseThrow();
        InputRecord input = new InputRecord(
                metadata.topic(),
                metadata.partition(),
                metadata.offset(),
                record.timestamp(),
                record.key(),
                record.value(),
                record.headers());
        Rejection tooBig = settings.limits().problem(input);
        try {
            store().takeIn(input, parts.catchUp());
            if (tooBig != null) {
                setAside(input, tooBig);
            } else {
                take(input, metadata.topic().equals(topics.assessments()));
            }
        } catch (RuntimeException e) {
            FailedWork.note(e, input);
            throw e;
        }
        // A mark for each record of a big file would repeat all that waits; without the rest, the next tick sends one.
        if (!files().isWaiting()) {
            markSoon();
            output().hurry();
        }
    }

    private void take(InputRecord input, boolean isAnswer) {
        if (isAnswer) {
            guard().take(input, () -> takeAnswer(input));
        } else {
            takePolicy(new GateRecord(input));
        }
    }

    private Assessments assessments() {
        return new Questions(parts.writer(), output(), settings.brakeLimits(), settings.recordMaxBytes());
    }

    /** Sets a record aside that cannot even be kept until it can be read. */
    private void setAside(InputRecord record, Rejection rejection) {
        if (record.topic().equals(topics.policies())) {
            lastOffset = record.offset();
        }
        output().reject(record, rejection);
    }

    /** Takes an answer; an unreadable one is as good as none: the brake asks again, so the answer waits for nothing. */
    private @Nullable String takeAnswer(InputRecord record) {
        DecodedCommand decoded = parts.reader().readCommand(record.topic(), record.headers(), record.value());
        if (decoded instanceof DecodedCommand.OfErrand answer) {
            takeAnswer(record, answer.errand());
        } else if (decoded instanceof DecodedCommand.Bad bad) {
            output().reject(record, bad.rejection());
        } else if (decoded instanceof DecodedCommand.Good) {
            output().reject(record, new Rejection(RejectReason.WRONG_TYPE, "a command is no answer of a partition"));
        }
        return null;
    }

    private void takeAnswer(InputRecord record, Errand errand) {
        Opened opened = door.open(errand);
        guard().writing();
        if (opened.rejection() != null) {
            output().reject(record, opened.rejection());
            return;
        }
        brake().answered(
                        errand.commandId(),
                        errand.sender(),
                        opened.body(BrakeFinding.class),
                        context().currentSystemTimeMs());
    }

    private void takePolicy(GateRecord record) {
        lastOffset = record.offset();
        if (unread().holdsUp(record)) {
            waitToBeRead(record, null);
            return;
        }
        Wait wait = take(record);
        if (wait != null) {
            waitToBeRead(record, wait);
        }
    }

    private void waitToBeRead(GateRecord record, @Nullable Wait wait) {
        String problem = unread().add(record, wait);
        if (problem != null) {
            output().reject(record, new Rejection(RejectReason.PARKED_FULL, problem));
        }
    }

    /** Limits on waiting records, all of which are in memory. */
    private ParkingLimits limits() {
        ParkingLimits configured = settings.parkingLimits();
        return new ParkingLimits(configured.maxRecords(), Math.min(configured.maxBytes(), MAX_WAITING_BYTES));
    }

    /** Sets how far the first mark reaches: starting instances wait for it, and the former task may have sent none. */
    private void begin() {
        store().claim();
        if (!hasBegun) {
            hasBegun = true;
            lastOffset = store().lastTaken(topics.policies(), parts.catchUp());
            output().reflects(unread().reflected(lastOffset));
        }
    }

    private void tick(long nowMs) {
        begin();
        unread().retry(this::take);
        for (GateRecord member : files().giveUp(nowMs, unread()::holdsUpFile)) {
            output().reject(member, new Rejection(RejectReason.BAD_POLICY, "the rest of its file did not come"));
        }
        brake().advance(nowMs);
        mark();
        output().hurry();
        journal.advance(nowMs);
    }

    /** Takes the record in; returns the reason to wait if it cannot be read yet, else null. */
    private @Nullable Wait take(GateRecord record) {
        return guard().take(record.input(), () -> takeIn(record));
    }

    private @Nullable Wait takeIn(GateRecord record) {
        String key = record.key();
        if (key.startsWith(EbbHeaders.CONFIRM)) {
            confirm(record, key.substring(EbbHeaders.CONFIRM.length()));
            return null;
        }
        if (key.startsWith(EbbHeaders.DROP)) {
            drop(record, key.substring(EbbHeaders.DROP.length()));
            return null;
        }
        PolicyVerdict verdict = judge().judge(record);
        if (verdict.waitsFor() != null) {
            return verdict.waitsFor();
        }
        String file = record.file();
        Wait ofOthers = file == null || !files().isLast(record) ? null : firstWait(files().membersOf(file));
        if (ofOthers != null) {
            return ofOthers;
        }
        guard().writing();
        if (file == null) {
            settle(List.of(verdict), "");
        } else if (file.length() > MAX_FILE_ID) {
            String detail = "the id of its file has " + file.length() + " characters, at most " + MAX_FILE_ID;
            output().reject(record, new Rejection(RejectReason.BAD_POLICY, detail));
        } else {
            takeMember(record, file);
        }
        return null;
    }

    /** First reason to wait: the records could be read when they came, but after a restart the registry may be away. */
    private @Nullable Wait firstWait(Collection<GateRecord> members) {
        return members.stream()
                .map(judge()::judge)
                .map(PolicyVerdict::waitsFor)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private void takeMember(GateRecord record, String file) {
        String full = files().problem(record);
        if (full != null) {
            Rejection rejection = new Rejection(RejectReason.PARKED_FULL, full);
            files().take(file).forEach(member -> output().reject(member, rejection));
            output().reject(record, rejection);
            return;
        }
        List<GateRecord> members = files().add(record);
        if (!members.isEmpty()) {
            settle(members.stream().map(judge()::judge).toList(), file);
        }
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
                case TOO_BIG -> refuse(change, String.valueOf(brake().tooBig(change)));
            }
        }
        brake().advance(nowMs);
    }

    /** Change of these records, which has the offset of the last as its version; of two records of a file for one scope the later one counts, as on the topic. */
    private static HeldBack change(List<PolicyVerdict> verdicts, String file, long nowMs) {
        Map<PolicyKey, GateRecord> byKey = new LinkedHashMap<>();
        verdicts.forEach(verdict -> byKey.put(verdict.key(), verdict.record()));
        List<GateRecord> records = List.copyOf(byKey.values());
        String actor = verdicts.stream()
                .map(PolicyVerdict::actor)
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse("");
        return new HeldBack(verdicts.get(verdicts.size() - 1).record().offset(), file, actor, nowMs, null, records);
    }

    /** Puts a change into force if it is still good: a good one may have become bad while it waited. */
    private void release(HeldBack change, @Nullable Confirmation confirmation) {
        List<PolicyVerdict> verdicts =
                change.records().stream().map(judge()::judge).toList();
        if (verdicts.stream().allMatch(PolicyVerdict::isGood)) {
            verdicts.forEach(verdict -> accept(verdict, change, confirmation));
        } else {
            rejectAll(verdicts);
        }
    }

    private void refuse(HeldBack change, String why) {
        Rejection rejection = new Rejection(RejectReason.BAD_POLICY, why);
        change.records().forEach(record -> output().reject(record, rejection));
    }

    private void rejectAll(List<PolicyVerdict> verdicts) {
        Rejection companion = new Rejection(RejectReason.BAD_POLICY, "another policy of the same file was refused");
        for (PolicyVerdict verdict : verdicts) {
            output().reject(verdict.record(), verdict.rejection() == null ? companion : verdict.rejection());
        }
    }

    private void confirm(GateRecord record, String key) {
        long version = EbbHeaders.number(record.input().headers(), EbbHeaders.CONFIRM_VERSION, -1);
        Confirmation by = new Confirmation(
                said(record, EbbHeaders.ACTOR, Signature.MAX_ACTOR),
                said(record, EbbHeaders.REASON, Signature.MAX_REASON));
        guard().writing();
        if (record.value() != null || !brake().confirm(key, version, by)) {
            String detail = "no version " + version + " of " + key + " waits for a confirmation";
            output().reject(record, new Rejection(RejectReason.BAD_POLICY, detail));
        }
        brake().advance(context().currentSystemTimeMs());
    }

    private static String said(GateRecord record, String header, int mostChars) {
        return Shortened.to(mostChars, Objects.requireNonNullElse(record.header(header), ""));
    }

    /** Drops an unreadable record: it goes where refused ones go, whole, so that it can be brought back. */
    private void drop(GateRecord record, String key) {
        guard().writing();
        long version = EbbHeaders.number(record.input().headers(), EbbHeaders.DROP_VERSION, -1);
        List<GateRecord> dropped = record.value() == null ? unread().drop(key, version) : List.of();
        String by = said(record, EbbHeaders.ACTOR, Signature.MAX_ACTOR);
        String why = said(record, EbbHeaders.REASON, Signature.MAX_REASON);
        Rejection rejection = new Rejection(RejectReason.DROPPED, DroppedBy.detail(by, why));
        dropped.forEach(each -> output().reject(each, rejection));
        if (dropped.isEmpty()) {
            String detail = "nothing of " + key + " waits to be read" + (version < 0 ? "" : " in version " + version);
            output().reject(record, new Rejection(RejectReason.BAD_POLICY, detail));
        }
    }

    private void accept(PolicyVerdict verdict, HeldBack change, @Nullable Confirmation confirmation) {
        store().accept(verdict.key(), output().accept(verdict, change, confirmation));
        journal.accepted(verdict, change.version(), confirmation);
        brake().accepted(verdict.edit());
    }

    /** Sends a mark soon. It repeats all that waits: the longer it is, the later the next, by the next tick at most. */
    private void markSoon() {
        long nowMs = context().currentSystemTimeMs();
        if (nowMs - markedMs >= brake().waitingChanges() / MARKED_IN_A_MS || nowMs < markedMs) {
            mark();
        }
    }

    private void mark() {
        markedMs = context().currentSystemTimeMs();
        Wait first = unread().first();
        String problem = first == null ? null : "a policy waits for " + first.text();
        output().mark(unread().reflected(lastOffset), problem, brake().waiting());
    }

    private UnreadPolicies unread() {
        return Objects.requireNonNull(unread, "not initialised");
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

    private RecordGuard guard() {
        return Objects.requireNonNull(guard, "not initialised");
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
