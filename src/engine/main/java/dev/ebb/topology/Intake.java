package dev.ebb.topology;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.serde.records.DecodedCommand;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.command.CommandInbox;
import dev.ebb.topology.fault.RecordGuard;
import dev.ebb.topology.observe.CatchUp;
import dev.ebb.topology.parking.Parking;
import dev.ebb.topology.parts.PartitionParts;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.policy.PolicyCall;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.ErrandBodies.Assess;
import dev.ebb.topology.wire.ErrandBodies.Follow;
import dev.ebb.topology.wire.ErrandDoor;
import dev.ebb.topology.wire.ErrandDoor.Opened;
import org.jspecify.annotations.Nullable;

/**
 * Intake of records: hands events to {@link Ingest}, and commands and questions to their receivers. Records that cannot be
 * taken in yet wait in {@link Parking}. Not thread-safe.
 */
final class Intake implements Parking.Task {

    private final String commandsTopic;
    private final TopologyParts parts;
    private final PartitionParts here;
    private final TaskParts own;
    private final PolicyCall call = new PolicyCall();
    private final RecordGuard guard;
    private final ErrandDoor door;
    private final Ingest ingest;
    private final Parking parking;

    Intake(SharedParts shared, TaskParts own) {
        this.commandsTopic = shared.topics().commands();
        this.parts = shared.parts();
        this.here = own.here;
        this.own = own;
        this.guard = new RecordGuard(shared.failed(), here.observer(), this::reject);
        this.door = new ErrandDoor(here.partition(), shared.topics().partitions(), parts.reader());
        this.ingest = new Ingest(shared, here, this::noticedPolicies, own.ledger, guard::writing);
        this.parking = new Parking(here.store().parked(), shared.settings().parkingLimits(), parts.reader(), this);
    }

    private PolicySet noticedPolicies() {
        PolicySet newest = parts.policies().current().policies();
        own.follower.notice(newest);
        return newest;
    }

    Parking parking() {
        return parking;
    }

    /** Returns the last call of the gate to new policies. */
    PolicyCall call() {
        return call;
    }

    /** Takes the record in, or parks it if the record or an earlier one of its stream must wait. */
    void process(InputRecord record, long nowMs) {
        begin(record);
        if (mayTakeIn() || !takeAssessment(record)) {
            parking.process(record, nowMs);
        }
    }

    /** Sets aside a record that cannot even be parked. */
    void setAside(InputRecord record, Rejection rejection) {
        begin(record);
        reject(record, rejection);
    }

    private void begin(InputRecord record) {
        CatchUp input = parts.catchUp();
        here.store().takeIn(record.topic(), input.topicId(record.topic()), record.offset(), input.mayRepeat());
        input.processed(record.topic(), record.partition(), record.offset());
    }

    /**
     * Takes a question of the brake, which cannot wait for policies that come into force only after the answer; returns
     * false if the record is something else.
     */
    private boolean takeAssessment(InputRecord record) {
        if (isCommand(record)
                && here.store().parked().find(record.key()) == null
                && decoded(record) instanceof DecodedCommand.OfErrand errand
                && errand.errand().step() == Errand.Step.ASSESS) {
            take(record, 0);
            return true;
        }
        return false;
    }

    private boolean isCommand(InputRecord record) {
        return record.topic().equals(commandsTopic);
    }

    private DecodedCommand decoded(InputRecord command) {
        return parts.reader().readCommand(EbbHeaders.origin(command), command.headers(), command.value());
    }

    @Override
    public boolean mayTakeIn() {
        return own.readiness.mayTakeIn();
    }

    @Override
    public @Nullable Wait take(InputRecord record, long nowMs) {
        return guard.take(record, () -> isCommand(record) ? takeCommand(record, nowMs) : ingest.take(record, nowMs));
    }

    private @Nullable Wait takeCommand(InputRecord record, long nowMs) {
        DecodedCommand decoded = decoded(record);
        if (decoded instanceof DecodedCommand.Pending pending) {
            return pending.waitsFor();
        }
        if (decoded instanceof DecodedCommand.OfErrand errand) {
            takeErrand(record, errand.errand(), nowMs);
            return null;
        }
        guard.writing();
        Rejection rejection = decoded instanceof DecodedCommand.Good good
                ? take(good, record, nowMs)
                : refuse((DecodedCommand.Bad) decoded, nowMs);
        if (rejection != null) {
            reject(record, rejection);
        }
        return null;
    }

    private @Nullable Rejection take(DecodedCommand.Good good, InputRecord record, long nowMs) {
        String id = good.request().commandId();
        if (!CommandInbox.canAnswer(id)) {
            return new Rejection(RejectReason.BAD_COMMAND, "no command may have the id " + id);
        }
        String ofOffset = EbbHeaders.problem(record.headers(), EbbHeaders.KNOWN_POLICIES, 0);
        String garbled = ofOffset == null ? EbbHeaders.problem(record.headers(), EbbHeaders.LATE_CHANGES, 0) : ofOffset;
        if (garbled != null) {
            own.inbox.refuse(id, good.request().command().verb(), garbled, nowMs);
            return null;
        }
        return own.inbox.take(good.request(), record, nowMs);
    }

    /** Refuses the command to its sender; returns the rejection of the record if the sender cannot be answered. */
    private @Nullable Rejection refuse(DecodedCommand.Bad bad, long nowMs) {
        if (!CommandInbox.canAnswer(bad.commandId())) {
            return bad.rejection();
        }
        own.inbox.refuse(bad.commandId(), bad.verb(), bad.rejection().detail(), nowMs);
        return null;
    }

    private void takeErrand(InputRecord record, Errand errand, long nowMs) {
        Opened opened = door.open(errand);
        guard.writing();
        if (opened.rejection() != null) {
            reject(record, opened.rejection());
            return;
        }
        switch (errand.step()) {
            case ASSESS -> own.assessments.take(errand, opened.body(Assess.class));
            case FOLLOW -> call.take(opened.body(Follow.class), nowMs);
            default -> own.inbox.take(errand, opened, record.offset(), nowMs);
        }
    }

    @Override
    public boolean isBounded(InputRecord record) {
        return !isCommand(record);
    }

    @Override
    public void reject(InputRecord record, Rejection rejection) {
        here.observer().rejected(rejection.reason());
        own.ledger.rejected(record);
        here.outbox().reject(record, rejection);
    }

    @Override
    public void drop(InputRecord record, Rejection rejection, long nowMs) {
        reject(record, rejection);
        if (isCommand(record)
                && decoded(record) instanceof DecodedCommand.Good good
                && CommandInbox.canAnswer(good.request().commandId())) {
            own.inbox.drop(good.request(), rejection.detail(), nowMs);
        }
    }

    @Override
    public void lost(String which) {
        here.observer().parkedLost(here.partition(), which);
    }

    @Override
    public void changed(byte @Nullable [] key) {
        StreamState stream = here.store().streamOfKey(key);
        if (stream != null) {
            here.schedule().touch(stream);
        }
    }
}
