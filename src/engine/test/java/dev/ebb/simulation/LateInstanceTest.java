package dev.ebb.simulation;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.topology.Outcomes;
import dev.ebb.topology.TopologyFixture;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.StreamPartition;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands over two instances of which one does not see the newest policies yet. */
class LateInstanceTest {

    /** Commands end within this time unless they wait for policies, which they do for a minute. */
    private static final long WAIT_MS = 20_000;

    private static final int PARTITIONS = 2;
    private static final int EVENTS = 5;
    private static final long CAP = 2;

    /** A cap that leaves two of five events. */
    private static final RetentionPolicy POLICY =
            RetentionPolicy.of(Scope.namespace("a")).maxCount(Limit.of(CAP)).build();

    /** Two policies that take nothing: by the first one deletes are final, by the second one they can be undone. */
    private static final RetentionPolicy FINAL = POLICY.toBuilder()
            .maxCount(Limit.of(100))
            .set(PolicyField.UNDO, Limit.NONE)
            .build();

    private static final RetentionPolicy POSSIBLE = FINAL.toBuilder()
            .set(PolicyField.UNDO, Limit.of(Duration.ofHours(1).toMillis()))
            .build();

    private final AccidentWorld there =
            new AccidentWorld(new Draw(1), TopologyFixture.settings(OptionalLong.of(1000), 10_000), PARTITIONS);
    private final Instance[] instances =
            IntStream.range(0, PARTITIONS).mapToObj(there::isolate).toArray(Instance[]::new);

    /** What comes back stays, also where an instance still sees the policy that is undone. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    @Tag("T-3")
    void shouldBringBackByTheNewestPolicies(int leader) {
        // given what a policy has taken that is in force no longer, but for the view of the second instance
        fill();
        setPolicy(POLICY);
        there.run(2000);
        assertThat(there.stored()).hasSize((int) (PARTITIONS * CAP));
        there.fallBehind(instances[1]);
        there.policy(POLICY.scope().toString(), null, Codec.KNOWN, new RecordHeaders());
        there.run(1000);

        // when
        CommandResult result = carryOut(request(leader, false, undo()));

        // then
        assertThat(result.refusal()).isNull();
        assertThat(Objects.requireNonNull(Outcomes.undone(result)).notReturned())
                .isEmpty();
        assertThat(there.stored()).hasSize(PARTITIONS * EVENTS);
        there.run(3000);
        assertThat(there.stored()).hasSize(PARTITIONS * EVENTS);
    }

    /** The count of a sweep claims to be by the newest policies, so all of it has to be. */
    @Test
    @Tag("T-6")
    void shouldCountASweepByThePoliciesOfItsLeader() {
        // given a policy that only warns, which the second instance does not see
        fill();
        there.fallBehind(instances[1]);
        setPolicy(POLICY.toBuilder().mode(PolicyMode.WARN).build());

        // when
        CommandRequest dryRun = request(0, true, new Command.SweepNow(Scope.ALL, null));
        there.send(dryRun);
        there.run(WAIT_MS);

        // then
        assertThat(isDone(dryRun)).isFalse();
        assertThat(Outcomes.swept(there.finish(dryRun.commandId())).wouldDelete())
                .isEqualTo(PARTITIONS * (EVENTS - CAP));
    }

    /** All instances that have a share are behind the one that has sent the command, and say nothing by what they know. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("T-3")
    @Tag("T-6")
    void shouldCountByWhatTheSenderHasSeen(boolean isSweep) {
        // given a policy that neither instance sees, and deleted events if they are to come back
        fill();
        if (!isSweep) {
            carryOut(request(0, false, new Command.PurgeStreams(new StreamFilter(null, null, null, 100, true))));
            there.emptyOut();
        }
        there.fallBehind(instances[0]);
        there.fallBehind(instances[1]);
        long version = there.policy(POLICY.scope().toString(), POLICY, Codec.KNOWN, new RecordHeaders());
        there.run(1000);

        // when
        CommandRequest dryRun = request(0, true, isSweep ? new Command.SweepNow(Scope.ALL, null) : undo());
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.KNOWN_POLICIES, version);
        there.send(dryRun, headers);
        there.run(WAIT_MS);

        // then
        assertThat(isDone(dryRun)).isFalse();
        CommandResult result = there.finish(dryRun.commandId());
        assertThat(
                        isSweep
                                ? result.outcome().deletions().eventsDeleted()
                                : Objects.requireNonNull(Objects.requireNonNull(Outcomes.undone(result))
                                                .notice())
                                        .dueThen())
                .isEqualTo(PARTITIONS * (EVENTS - CAP));
    }

    /** A policy says what can be undone: a share that went by an older one would delete for good. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("T-1")
    void shouldKeepForAnUndoWhatTheNewestPolicySays(boolean isPrune) {
        // given a policy by which deletes are final, and another one, which the second instance does not see
        fill();
        setPolicy(FINAL);
        there.fallBehind(instances[1]);
        setPolicy(POSSIBLE);

        // when
        StreamFilter all = new StreamFilter(null, null, null, 100, true);
        CommandRequest delete = request(
                0,
                false,
                isPrune
                        ? new Command.PruneStreams(all, new PruneCondition(0L, null), false)
                        : new Command.PurgeStreams(all));
        there.send(delete);
        there.run(WAIT_MS);

        // then
        assertThat(isDone(delete)).isFalse();
        assertThat(there.finish(delete.commandId()).outcome().deletions().eventsDeleted())
                .isEqualTo(PARTITIONS * EVENTS);
        there.emptyOut();
        assertThat(Objects.requireNonNull(Outcomes.undone(carryOut(request(0, false, undo()))))
                        .events())
                .isEqualTo(PARTITIONS * EVENTS);
    }

    /** The only instance that takes part in a delete from one stream may be behind the one that has sent it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("T-1")
    void shouldDeleteByWhatTheSenderHasSeen(boolean isOneEvent) {
        // given
        fill();
        setPolicy(FINAL);
        there.fallBehind(instances[1]);
        setPolicy(POSSIBLE);

        // when
        StreamName stream = new StreamName(nameIn(1, "a/"));
        CommandRequest delete = request(
                1,
                false,
                isOneEvent
                        ? new Command.DeleteEvent(stream, new EventId("e0"), false)
                        : new Command.DeleteStream(stream, false));
        sendHavingSeenAll(delete);

        // then
        assertThat(isDone(delete)).isFalse();
        there.finish(delete.commandId());
        there.emptyOut();
        assertThat(Objects.requireNonNull(Outcomes.undone(carryOut(request(0, false, undo()))))
                        .events())
                .isEqualTo(isOneEvent ? 1 : EVENTS);
    }

    /** A policy may come after a slice has begun, before the streams follow it. */
    @ParameterizedTest
    @MethodSource("looks")
    @Tag("T-1")
    void shouldDeleteByWhatComesInTheMiddleOfASlice(int looks) {
        // given a policy by which deletes are final, and another one, which comes as soon as the delete could begin
        fill();
        setPolicy(FINAL);
        there.fallBehind(instances[1]);
        setPolicy(POSSIBLE);
        CommandRequest delete =
                request(1, false, new Command.DeleteEvent(new StreamName(nameIn(1, "a/")), new EventId("e0"), false));
        sendHavingSeenAll(delete);
        assertThat(isDone(delete)).isFalse();

        // when
        instances[1].views.after(looks, () -> {
            while (instances[1].acceptOne()) {}
        });
        there.finish(delete.commandId());

        // then
        there.emptyOut();
        assertThat(Objects.requireNonNull(Outcomes.undone(carryOut(request(0, false, undo()))))
                        .events())
                .isEqualTo(1);
    }

    /** A hold that all partitions have confirmed always wins, whenever the instance sees it that took a partition over. */
    @ParameterizedTest
    @MethodSource("looks")
    @Tag("A-16")
    @Tag("M-18")
    void shouldActOnAConfirmedHoldThatComesInTheMiddleOfASlice(int looks) {
        // given a command that has not acted yet when the hold is confirmed, and an instance that does not see the hold
        fill();
        StreamName stream = new StreamName(nameIn(1, "a/"));
        Instance late = new Instance(there.world);
        there.world.instances.add(late);
        there.fallBehind(late);
        instances[1].catchUp.stick();
        CommandRequest delete = request(1, false, new Command.DeleteStream(stream, true));
        there.send(delete);
        there.run(1000);
        Hold hold = new Hold("c", Scope.namespace("a"), "litigation", "eva", 1);
        there.policy("hold:c", hold, Codec.KNOWN, new RecordHeaders());
        there.run(5000);
        assertThat(there.isConfirmed(stream)).isTrue();
        Task task = there.world.partitions.get(1);
        task.leave();
        task.start(late);
        there.run(2000);
        assertThat(isDone(delete)).isFalse();

        // when
        late.views.after(looks, () -> {
            while (late.acceptOne()) {}
        });
        CommandResult result = there.finish(delete.commandId());

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.HELD);
        assertThat(there.stored()).hasSize(PARTITIONS * EVENTS);
    }

    /** A command that waits for policies is not overtaken by others on its stream, which find what it has left. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("O-9")
    void shouldNotBeOvertakenByALaterCommandOnItsStream(boolean isOneEvent) {
        // given a delete that waits
        fill();
        there.fallBehind(instances[1]);
        setPolicy(POSSIBLE);
        StreamName stream = new StreamName(nameIn(1, "a/"));
        CommandRequest waiting = new CommandRequest(
                "waiting",
                "anna",
                "clean-up",
                false,
                null,
                isOneEvent
                        ? new Command.DeleteEvent(stream, new EventId("e0"), false)
                        : new Command.DeleteStream(stream, true));
        sendHavingSeenAll(waiting);
        assertThat(isDone(waiting)).isFalse();

        // when
        CommandRequest other = request(1, false, new Command.DeleteStream(stream, true));
        there.send(other);
        there.run(5000);
        assertThat(isDone(other)).isFalse();
        CommandResult first = there.finish(waiting.commandId());
        CommandResult second = there.finish(other.commandId());

        // then
        assertThat(first.outcome().deletions().eventsDeleted()).isEqualTo(isOneEvent ? 1 : EVENTS);
        assertThat(second.refusal()).isEqualTo(isOneEvent ? null : Refusal.NOT_FOUND);
        assertThat(second.outcome().deletions().eventsDeleted()).isEqualTo(isOneEvent ? EVENTS - 1 : 0);
    }

    /** The sender of a TTL has seen the bounds within which it must be. */
    @Test
    @Tag("O-9")
    void shouldBoundATtlByWhatTheSenderHasSeen() {
        // given a policy whose bound the second instance does not see
        fill();
        setPolicy(FINAL);
        there.fallBehind(instances[1]);
        setPolicy(FINAL.toBuilder()
                .set(PolicyField.MIN_TTL, Limit.of(Duration.ofHours(1).toMillis()))
                .build());

        // when
        StreamName stream = new StreamName(nameIn(1, "a/"));
        CommandRequest setTtl = request(1, false, new Command.SetTtl(stream, new EventId("e0"), OwnTtl.NONE, 60_000L));
        sendHavingSeenAll(setTtl);

        // then
        assertThat(isDone(setTtl)).isFalse();
        assertThat(there.finish(setTtl.commandId()).refusal()).isEqualTo(Refusal.TTL_OUT_OF_BOUNDS);
    }

    /** A sender that has seen what never comes is told so, and nothing is counted by other policies. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("T-3")
    void shouldRefuseWhatTheSenderHasSeenAlone(boolean isSweep) {
        // given
        fill();
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.KNOWN_POLICIES, 1_000_000);

        // when
        CommandRequest dryRun = request(0, true, isSweep ? new Command.SweepNow(Scope.ALL, null) : undo());
        there.send(dryRun, headers);
        CommandResult result = there.finish(dryRun.commandId());

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.NOT_READY);
        assertThat(result.detail()).contains("1000000");
    }

    /** So many looks at the policies fall into more than one slice. */
    static IntStream looks() {
        return IntStream.range(0, 40);
    }

    private void fill() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            String stream = nameIn(partition, "a/");
            for (int i = 0; i < EVENTS; i++) {
                Event event = event(stream, "e" + i).build();
                there.send(event, event.stream());
            }
        }
        there.run(1000);
        assertThat(there.stored()).hasSize(PARTITIONS * EVENTS);
    }

    private void setPolicy(RetentionPolicy policy) {
        there.policy(policy.scope().toString(), policy, Codec.KNOWN, new RecordHeaders());
        there.run(1000);
    }

    /** Sends a command from an instance that has seen all policies, and gives the others time for it. */
    private void sendHavingSeenAll(CommandRequest request) {
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.KNOWN_POLICIES, there.policies().version());
        there.send(request, headers);
        there.run(WAIT_MS);
    }

    private CommandResult carryOut(CommandRequest request) {
        there.send(request);
        return there.finish(request.commandId());
    }

    private boolean isDone(CommandRequest request) {
        CommandResult result = there.result(request.commandId());
        return result != null && result.isFinal();
    }

    /** A command that the partition leads. */
    private static CommandRequest request(int partition, boolean isDryRun, Command command) {
        return new CommandRequest(nameIn(partition, command.verb()), "anna", "clean-up", isDryRun, null, command);
    }

    private static Command undo() {
        return new Command.UndoDeletes(new UndoFilter(null, null, null, null, 31_536_000_000L, null, null, null), null);
    }

    private static String nameIn(int partition, String prefix) {
        return IntStream.range(0, 1000)
                .mapToObj(i -> prefix + i)
                .filter(name -> StreamPartition.of(new StreamName(name), PARTITIONS) == partition)
                .findFirst()
                .orElseThrow();
    }
}
