package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.policy.Accepted;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.HoldConfirmations;
import dev.ebb.topology.wire.Topics;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("A-16")
@Tag("M-18")
class HoldFenceTest {

    private static final Topics TOPICS = new Topics("ebb.", 1);
    private static final TestRecords RECORDS = new TestRecords();
    private static final TopologySettings SETTINGS = TopologyFixture.settings(OptionalLong.of(1), 10);
    private static final Hold HOLD = new Hold("c", Scope.ALL, "litigation", "eva", 1);

    private final Map<String, CommandResult> results = new HashMap<>();

    @Test
    void shouldWaitUntilEveryPartitionHasConfirmedThatVersion() {
        assertThat(areAll(5)).isFalse();

        confirm(0, 5);
        assertThat(areAll(5)).isFalse();

        confirm(1, 4);
        assertThat(areAll(5)).isFalse();

        confirm(1, 5);
        assertThat(areAll(5)).isTrue();
        assertThat(areAll(6)).isFalse();
    }

    @Test
    void shouldConfirmAHoldOnceAndKeepItsFenceOverARestart() {
        try (TopologyFixture fixture = TopologyFixture.inMemory()) {
            // given
            fixture.hold("LIT-1", Scope.namespace("a"));
            fixture.settleFor(3);
            List<CommandResult> confirmed = confirmations(fixture);
            assertThat(confirmed).hasSize(1);

            // when
            fixture.restart();
            fixture.settleFor(3);

            // then
            assertThat(confirmations(fixture)).isEqualTo(confirmed);
        }
    }

    @ParameterizedTest
    @CsvSource({"99, false", "100, false", "101, true", "106, true"})
    void shouldGoByHowFarTheTopicIsReadAndNotByWhatCompactionHasLeft(long endOffset, boolean isRead) {
        // given: the hold at 100 is released, and neither it nor its release is there any more
        TaskFixture task = taskWithHoldAt100().onAnotherInstance(SETTINGS);
        accept(task, 50, policy());

        // when: an instance that has read the topic to that end gets an event
        task.views.restored(endOffset);
        task.process(TOPICS.events(), key("s"), event("s", "e").build());
        task.tick(TopologyFixture.T0 + 1);

        // then
        assertThat(task.stored("s")).hasSize(isRead ? 1 : 0);
        assertThat(task.observer.status.parkedRecords()).isEqualTo(isRead ? 0 : 1);
    }

    @ParameterizedTest
    @CsvSource({"99, false", "100, true", "101, true"})
    void shouldGoByMarksToo(long offset, boolean isRead) {
        // given
        TaskFixture task = taskWithHoldAt100().onAnotherInstance(SETTINGS);
        accept(task, 50, policy());

        // when
        mark(task, offset);
        task.process(TOPICS.events(), key("s"), event("s", "e").build());
        task.tick(TopologyFixture.T0 + 1);

        // then
        assertThat(task.stored("s")).hasSize(isRead ? 1 : 0);
    }

    @Test
    void shouldLowerTheFenceWhereTheHoldIsGone() {
        // given
        TaskFixture second = taskWithHoldAt100().onAnotherInstance(SETTINGS);
        second.views.restored(106);
        second.tick(TopologyFixture.T0 + 1);

        // when: another one that has read less takes over
        TaskFixture third = second.onAnotherInstance(SETTINGS);
        accept(third, 50, policy());
        third.process(TOPICS.events(), key("s"), event("s", "e").build());
        third.tick(TopologyFixture.T0 + 1);

        // then
        assertThat(third.stored("s")).hasSize(1);
    }

    @Test
    void shouldDeleteNothingWhereAConfirmedHoldIsNotSeenYet() {
        // given
        TaskFixture first = taskWithHoldAt100();
        first.process(TOPICS.events(), key("s"), event("s", "e").build());
        first.tick(TopologyFixture.T0 + 1);
        long longAfter = TopologyFixture.T0 + BuiltInPolicies.DEFAULT_MAX_AGE.value() + 10_000;

        // when: an instance takes over that has not come to the hold, though a file of policies lies behind it
        TaskFixture second = first.onAnotherInstance(SETTINGS);
        accept(second, 99, policy());
        second.tick(longAfter);

        // then
        assertThat(second.stored("s")).hasSize(1);
        assertThat(second.observer.status.sweepState()).isEqualTo(TaskStatus.SweepState.WAITING_FOR_HOLDS);

        // when it has come to it, and the hold is the first record of a file that is not complete
        Headers file = TopologyFixture.ofFile("f", 2);
        second.views.accept(new Accepted("hold:c", RECORDS.bytes(HOLD), null, 100, 5, file));
        mark(second, 105);
        second.tick(longAfter + 1);

        // then
        assertThat(second.stored("s")).hasSize(1);
        assertThat(second.observer.status.sweepState()).isEqualTo(TaskStatus.SweepState.WAITING_FOR_HOLDS);

        // when
        second.views.restored(106);
        second.tick(longAfter + 2);
        second.tick(longAfter + 3);

        // then
        assertThat(second.stored("s")).hasSize(1);
        assertThat(second.observer.status.sweepState()).isNotEqualTo(TaskStatus.SweepState.WAITING_FOR_HOLDS);
    }

    /** It was taken before the task moved, so it does not wait with the records that come. */
    @Test
    void shouldCarryOutNoPendingCommandWhereAConfirmedHoldIsNotSeenYet() {
        // given
        TaskFixture first = taskWithHoldAt100();
        first.process(TOPICS.events(), key("s"), event("s", "e").build());
        first.process(
                TOPICS.commands(),
                key("s"),
                RECORDS.bytes(CommandFixture.request("c-1", CommandFixture.deleteForced("s"))));

        // when
        TaskFixture second = first.onAnotherInstance(SETTINGS);
        accept(second, 50, policy());
        second.tick(TopologyFixture.T0 + 1);
        second.tick(TopologyFixture.T0 + 2);

        // then
        assertThat(second.stored("s")).hasSize(1);
        assertThat(second.results()).isEmpty();

        // when
        second.views.accept(new Accepted("hold:c", RECORDS.bytes(HOLD), null, 100, 5, new RecordHeaders()));
        second.tick(TopologyFixture.T0 + 3);
        second.tick(TopologyFixture.T0 + 4);

        // then
        assertThat(second.stored("s")).hasSize(1);
        assertThat(second.results()).extracting(CommandResult::refusal).contains(Refusal.HELD);
    }

    /** The fence is an offset among the accepted records, whatever the version, which may be lower and come later. */
    @Test
    void shouldConfirmAHoldWhoseVersionIsLowerThanTheFence() {
        // given
        TaskFixture task = taskWithHoldAt100();
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.POLICY_VERSION, 14);

        // when
        Hold second = new Hold("d", Scope.ALL, "", "", 1);
        task.views.accept(new Accepted("hold:d", RECORDS.bytes(second), null, 110, 5, headers));
        task.tick(TopologyFixture.T0 + 1);
        task.tick(TopologyFixture.T0 + 2);

        // then
        assertThat(task.results())
                .extracting(CommandResult::outcome)
                .containsExactly(new Outcome.Confirmed(100), new Outcome.Confirmed(110));

        // when another instance takes over that has not come to it
        TaskFixture other = task.onAnotherInstance(SETTINGS);
        accept(other, 109, policy());
        other.tick(TopologyFixture.T0 + 3);

        // then
        assertThat(other.observer.status.sweepState()).isEqualTo(TaskStatus.SweepState.WAITING_FOR_HOLDS);
    }

    /** The task has confirmed the hold, so that its fence is 100. */
    private static TaskFixture taskWithHoldAt100() {
        TaskFixture task = new TaskFixture(TOPICS, 0, RECORDS, SETTINGS);
        task.views.accept(new Accepted("hold:c", RECORDS.bytes(HOLD), null, 100, 5, new RecordHeaders()));
        task.tick(TopologyFixture.T0);
        assertThat(task.results()).extracting(CommandResult::outcome).containsExactly(new Outcome.Confirmed(100));
        return task;
    }

    private static void accept(TaskFixture task, long offset, RetentionPolicy policy) {
        byte[] value = RECORDS.bytes(policy);
        task.views.accept(new Accepted(policy.scope().toString(), value, null, offset, 5, new RecordHeaders()));
    }

    private static void mark(TaskFixture task, long offset) {
        byte[] value = RECORDS.mark(7, null, List.of());
        task.views.accept(new Accepted(DecodedPolicy.MARK_KEY, value, null, offset, 5, new RecordHeaders()));
    }

    private static RetentionPolicy policy() {
        return RetentionPolicy.of(Scope.stream("other")).maxCount(Limit.of(9)).build();
    }

    private static byte[] key(String stream) {
        return stream.getBytes(StandardCharsets.UTF_8);
    }

    private static List<CommandResult> confirmations(TopologyFixture fixture) {
        return fixture.results.stream()
                .filter(result -> result.verb().equals(HoldConfirmations.VERB))
                .toList();
    }

    private boolean areAll(long version) {
        return HoldConfirmations.areAll(version, 2, id -> Optional.ofNullable(results.get(id)));
    }

    private void confirm(int partition, long version) {
        String id = HoldConfirmations.idOf(partition);
        results.put(id, HoldConfirmations.of(partition, version, 1));
    }
}
