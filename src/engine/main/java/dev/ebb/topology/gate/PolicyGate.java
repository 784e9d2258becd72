package dev.ebb.topology.gate;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.SpentHour;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.serde.records.DecodedCommand;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.parking.ParkingLimits;
import dev.ebb.topology.fault.FailedRecords;
import dev.ebb.topology.fault.RecordGuard;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.ErrandBodies.ClockAhead;
import dev.ebb.topology.wire.ErrandBodies.Configured;
import dev.ebb.topology.wire.ErrandBodies.LogHeld;
import dev.ebb.topology.wire.ErrandBodies.LogRaised;
import dev.ebb.topology.wire.ErrandBodies.SourceReset;
import dev.ebb.topology.wire.ErrandDoor;
import dev.ebb.topology.wire.ErrandDoor.Opened;
import dev.ebb.topology.wire.Nodes;
import dev.ebb.topology.wire.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;

/**
 * The work of the policy gate in one task: reads each record, lets it wait if it cannot be read yet, and settles it
 * together with those of its file. Not thread-safe.
 */
final class PolicyGate {

    private static final int MAX_FILE_ID = 255;
    private static final long MAX_WAITING_BYTES = 32 << 20;

    /** Average number of changes that may be named for each millisecond that passes. */
    private static final int MARKED_IN_A_MS = 20;

    private final TopologyParts parts;
    private final Topics topics;
    private final TopologySettings settings;
    private final ProcessorContext<Addressed, byte[]> context;
    private final ErrandDoor door;
    private final GateStore store;
    private final GateOutput output;
    private final RecordGuard guard;
    private final PolicyJudge judge;
    private final PolicyJournal journal;
    private final PolicySettlement settlement;
    private final PolicyBrake brake;
    private final ConfiguredSettings configured;
    private final ClockGaps clockGaps;
    private final FileAssembly files;
    private final UnreadPolicies unread;
    private final GateOrders orders;

    /** The newest offset of the topic of policies that a former task or this one has read. */
    private long lastOffset = -1;

    private boolean hasBegun;
    private long markedMs;

    PolicyGate(
            Topics topics,
            TopologySettings settings,
            TopologyParts parts,
            FailedRecords failed,
            ProcessorContext<Addressed, byte[]> context) {
        this.topics = topics;
        this.settings = settings;
        this.parts = parts;
        this.context = context;
        this.door = new ErrandDoor(ErrandDoor.NONE, topics.partitions(), parts.reader());
        this.store = new GateStore(context.getStateStore(Nodes.GATE_STORE));
        this.output = new GateOutput(parts, context, topics.partitions(), store, settings.limits());
        this.guard = new RecordGuard(failed, parts.observer(), output::reject);
        this.judge = new PolicyJudge(parts.reader(), store);
        Assessments questions =
                new Questions(parts.writer(), output, settings.brakeLimits(), settings.recordMaxBytes());
        this.journal = new PolicyJournal(parts, settings, topics.policies(), context, store);
        var formers = new FormerValues(store, judge::judge, settings.undoMax(), this::nowMs);
        this.settlement = new PolicySettlement(judge, store, output, journal, formers, questions, settings.builtIn());
        this.brake = settlement.brake();
        this.configured = new ConfiguredSettings(settings.configured(), store, output, brake);
        settlement.tellSettings(configured::accepted);
        this.clockGaps = new ClockGaps(parts.policies()::confirmedClock, store);
        ParkingLimits limits = inMemory(settings.parkingLimits());
        this.files = new FileAssembly(store, limits);
        this.unread = new UnreadPolicies(store, files, limits);
        this.orders = new GateOrders(guard, output, brake, unread, clockGaps, journal);
    }

    /** Returns the trusted time, which is right even where the clock of this instance is wrong. */
    private long nowMs() {
        return parts.clock().trusted(context.currentSystemTimeMs());
    }

    /** Takes a record of the topic of policies, or an answer of a partition. */
    void take(InputRecord input) {
        begin();
        Rejection tooBig = settings.limits().problem(input);
        store.takeIn(input, parts.catchUp());
        if (tooBig != null) {
            setAside(input, tooBig);
        } else if (input.topic().equals(topics.assessments())) {
            guard.take(input, () -> takeAnswer(input));
        } else {
            takePolicy(new GateRecord(input));
        }
        // A mark for each record of a big file would repeat all that waits; if the rest never comes, the next tick
        // sends one.
        if (!files.isWaiting()) {
            markSoon();
            output.hurry();
        }
    }

    /** Returns limits on waiting records, all of which are in memory. */
    private static ParkingLimits inMemory(ParkingLimits configured) {
        return new ParkingLimits(configured.maxRecords(), Math.min(configured.maxBytes(), MAX_WAITING_BYTES));
    }

    /** Sets aside a record that cannot even be kept until it can be read. */
    private void setAside(InputRecord record, Rejection rejection) {
        if (record.topic().equals(topics.policies())) {
            lastOffset = record.offset();
        }
        output.reject(record, rejection);
    }

    /** Takes an answer. An unreadable answer is as good as none: the brake asks again, so the answer need not wait. */
    private @Nullable String takeAnswer(InputRecord record) {
        DecodedCommand decoded = parts.reader().readCommand(record.topic(), record.headers(), record.value());
        if (decoded instanceof DecodedCommand.OfErrand answer) {
            takeAnswer(record, answer.errand());
        } else if (decoded instanceof DecodedCommand.Bad bad) {
            output.reject(record, bad.rejection());
        } else if (decoded instanceof DecodedCommand.Good) {
            output.reject(record, new Rejection(RejectReason.WRONG_TYPE, "a command is no answer of a partition"));
        }
        return null;
    }

    private void takeAnswer(InputRecord record, Errand errand) {
        Opened opened = door.open(errand);
        guard.writing();
        if (opened.rejection() != null) {
            output.reject(record, opened.rejection());
            return;
        }
        if (errand.step() == Errand.Step.CONFIGURED) {
            configured.report(errand.sender(), opened.body(Configured.class).settings(), nowMs());
            return;
        }
        if (errand.step() == Errand.Step.CLOCK_AHEAD) {
            clockGaps.report(errand.sender(), opened.body(ClockAhead.class), nowMs());
            return;
        }
        if (errand.step() == Errand.Step.LOG_HELD) {
            parts.sources().starts().take(errand.commandId(), errand.sender(), opened.body(LogHeld.class));
            return;
        }
        if (errand.step() == Errand.Step.LOG_RAISED) {
            journal.raised(errand.commandId(), opened.body(LogRaised.class));
            return;
        }
        if (errand.step() == Errand.Step.SOURCE_RESET) {
            journal.reset(errand.commandId(), opened.body(SourceReset.class));
            return;
        }
        BrakeFinding finding = opened.body(BrakeFinding.class);
        brake.answered(errand.commandId(), errand.sender(), finding, nowMs());
    }

    private void takePolicy(GateRecord record) {
        lastOffset = record.offset();
        boolean isHeldUp = unread.holdsUp(record);
        Wait wait = isHeldUp ? null : take(record);
        String problem = isHeldUp || wait != null ? unread.add(record, wait) : null;
        if (problem != null) {
            output.reject(record, new Rejection(RejectReason.PARKED_FULL, problem));
        }
    }

    /** Sets the offset of the first mark: starting instances wait for it, and the former task may have sent none. */
    private void begin() {
        store.claim();
        if (!hasBegun) {
            hasBegun = true;
            lastOffset = store.lastTaken(topics.policies(), parts.catchUp());
            output.reflects(unread.reflected(lastOffset));
            RetentionSettings known = configured.begin(parts.policies().settings());
            if (known != null) {
                journal.use(known);
            }
        }
    }

    /** Does what is due by the clock: retries waiting records, gives up files, and asks and answers. */
    void tick() {
        long nowMs = nowMs();
        begin();
        unread.retry(this::take);
        for (GateRecord member : files.giveUp(nowMs, unread::holdsUpFile)) {
            output.reject(member, new Rejection(RejectReason.BAD_POLICY, "the rest of its file did not come"));
        }
        configured.advance(nowMs);
        clockGaps.advance(nowMs);
        if (configured.unreadable() == null) {
            brake.advance(nowMs);
        }
        mark();
        output.hurry();
        journal.advance(nowMs);
    }

    /** Takes the record in; returns the reason to wait if the record cannot be read yet, else null. */
    private @Nullable Wait take(GateRecord record) {
        return guard.take(record.input(), () -> takeIn(record));
    }

    private @Nullable Wait takeIn(GateRecord record) {
        if (configured.unreadable() != null) {
            return configured.unreadable();
        }
        if (orders.take(record, nowMs())) {
            return null;
        }
        PolicyVerdict verdict = judge.judge(record);
        if (verdict.waitsFor() != null) {
            return verdict.waitsFor();
        }
        String ofSettings = verdict.settings() == null ? null : configured.problem(verdict.settings());
        if (ofSettings != null) {
            guard.writing();
            output.reject(record, new Rejection(RejectReason.BAD_POLICY, ofSettings));
            return null;
        }
        String file = record.file();
        Wait ofOthers = file == null || !files.isLast(record) ? null : firstWait(files.membersOf(file));
        if (ofOthers != null) {
            return ofOthers;
        }
        guard.writing();
        if (file == null) {
            settlement.settle(List.of(verdict), "", nowMs());
        } else if (file.length() > MAX_FILE_ID) {
            String detail = "the id of its file has " + file.length() + " characters, at most " + MAX_FILE_ID;
            output.reject(record, new Rejection(RejectReason.BAD_POLICY, detail));
        } else {
            takeMember(record, file);
        }
        return null;
    }

    /**
     * Returns the first reason to wait: the records were readable once, but after a restart the registry may be down.
     */
    private @Nullable Wait firstWait(Collection<GateRecord> members) {
        return members.stream()
                .map(judge::judge)
                .map(PolicyVerdict::waitsFor)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private void takeMember(GateRecord record, String file) {
        String full = files.problem(record);
        if (full != null) {
            Rejection rejection = new Rejection(RejectReason.PARKED_FULL, full);
            files.take(file).forEach(member -> output.reject(member, rejection));
            output.reject(record, rejection);
            return;
        }
        List<GateRecord> members = files.add(record);
        if (!members.isEmpty()) {
            List<PolicyVerdict> verdicts = members.stream().map(judge::judge).toList();
            settlement.settle(verdicts, file, nowMs());
        }
    }

    /**
     * Sends a mark soon. A mark repeats all that waits: the longer it is, the later the next one, but by the next tick
     * at the latest.
     */
    private void markSoon() {
        long nowMs = nowMs();
        if (nowMs - markedMs >= brake.waitingChanges() / MARKED_IN_A_MS || nowMs < markedMs) {
            mark();
        }
    }

    private void mark() {
        markedMs = nowMs();
        Wait first = configured.unreadable() == null ? unread.first() : configured.unreadable();
        String problem = first == null ? null : "a policy waits for " + first.text();
        List<WaitingPolicy> waiting = new ArrayList<>(brake.waiting());
        waiting.addAll(clockGaps.waiting());
        output.mark(unread.reflected(lastOffset), problem, waiting);
        SpentHour spent = brake.takeSpent(markedMs);
        if (spent != null) {
            output.spent(spent);
        }
    }
}
