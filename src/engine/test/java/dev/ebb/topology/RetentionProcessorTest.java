package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.TopologyFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.model.Forgotten;
import dev.ebb.serde.text.JsonState;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.policy.Accepted;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.ErrandBodies.Follow;
import dev.ebb.topology.wire.Topics;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Punctuations of a task, and its state after a revival. */
class RetentionProcessorTest {

    private static final byte[] KEY = "s".getBytes(StandardCharsets.UTF_8);

    private final Topics topics = new Topics("ebb.", 1);
    private final TestRecords records = new TestRecords();
    private final TopologySettings settings = settingsWithSlice(10);
    private final ThreadSlices slices = TaskFixture.slices(settings);
    private final TaskFixture task = new TaskFixture(topics, 0, records, settings, slices);

    @Test
    @Tag("A-6")
    void shouldComeOnceASecondWithNothingToDo() {
        // when
        task.process(topics.events(), KEY, event("s", "a").build());
        task.tick(T0 + 1000);

        // then
        assertThat(task.punctuators())
                .extracting(punctuator -> punctuator.getInterval().toMillis())
                .containsExactly(1000L);
    }

    @Test
    @Tag("A-6")
    void shouldComeOftenWhileItSweepsAndLessOftenWhileRecordsWait() {
        // given
        for (int i = 0; i < 7; i++) {
            task.process(topics.events(), KEY, dead(i));
        }

        // when
        task.tick(T0 + 1000);
        long withRecords = busyPeriodMs();
        task.tick(T0 + 1100);
        long alone = busyPeriodMs();
        task.tick(T0 + 1110);
        task.tick(T0 + 1120);

        // then
        assertThat(withRecords).isEqualTo(50);
        assertThat(alone).isEqualTo(10);
        assertThat(task.stored("s")).isEmpty();
        task.tick(T0 + 1130);
        assertThat(task.punctuators()).hasSize(1);
    }

    /** Steady traffic leaves a thread time, and a sweep of as many events as come in needs more than a fifth of it. */
    @Test
    @Tag("A-6")
    void shouldComeOftenWhileRecordsComeAndNoneWaits() {
        // given
        for (int i = 0; i < 7; i++) {
            task.process(topics.events(), KEY, dead(i));
        }

        // when
        BusyThread.caughtUp();
        task.tick(T0 + 1000);
        long caughtUp = busyPeriodMs();
        task.process(topics.events(), KEY, dead(7));
        task.tick(T0 + 1010);
        long waiting = busyPeriodMs();

        // then
        assertThat(caughtUp).isEqualTo(10);
        assertThat(waiting).isEqualTo(50);
    }

    @ParameterizedTest
    @Tag("A-6")
    @CsvSource({"1, 40", "7, 40", "8, 40", "9, 45", "30, 150", "199, 995", "200, 1000", "201, 1000"})
    void shouldComeEachFiveSlicesWhileRecordsWait(long sliceMs, long periodMs) {
        // given
        TaskFixture slow = new TaskFixture(topics, 0, records, settingsWithSlice(sliceMs), slices);
        for (int i = 0; i < 7; i++) {
            slow.process(topics.events(), KEY, dead(i));
        }

        // when
        slow.tick(T0 + 1000);

        // then
        assertThat(busyPeriodMs(slow)).isEqualTo(periodMs);
    }

    @ParameterizedTest
    @Tag("A-6")
    @CsvSource({"1, 1", "8, 8", "9, 9", "10, 10", "11, 10", "1000, 10"})
    void shouldComeEachSliceWhileNoRecordsWait(long sliceMs, long periodMs) {
        // given
        TaskFixture alone = new TaskFixture(topics, 0, records, settingsWithSlice(sliceMs), slices);
        for (int i = 0; i < 7; i++) {
            alone.process(topics.events(), KEY, dead(i));
        }
        alone.tick(T0 + 1000);

        // when
        alone.tick(T0 + 2000);

        // then
        assertThat(busyPeriodMs(alone)).isEqualTo(periodMs);
    }

    @Test
    @Tag("A-6")
    void shouldBeginAtOnceWithWhatACommandAsksFor() {
        // given
        task.process(topics.events(), KEY, event("s", "a").build());
        task.tick(T0 + 1000);

        // when
        delete("c-1");

        // then
        assertThat(busyPeriodMs()).isEqualTo(10);
        task.tick(T0 + 1010);
        assertThat(task.stored("s")).isEmpty();
        task.tick(T0 + 1020);
        assertThat(task.punctuators()).hasSize(1);
    }

    @Test
    @Tag("A-6")
    void shouldBeginLessOftenWithACommandThatComesAmongOtherRecords() {
        // given
        task.tick(T0 + 1000);
        task.process(topics.events(), KEY, event("s", "a").build());

        // when
        delete("c-1");

        // then
        assertThat(busyPeriodMs()).isEqualTo(50);
    }

    @Test
    @Tag("O-11")
    void shouldComeBackForACommitThatMustWaitForItsGap() {
        // given
        delete("c-1");
        task.tick(T0 + 1000);
        delete("c-2");

        // when
        task.tick(T0 + 1010);

        // then
        assertThat(task.punctuators()).hasSize(2);
        task.tick(T0 + 1050);
        assertThat(task.punctuators()).hasSize(1);
    }

    @Test
    @Tag("A-6")
    void shouldLeaveACapThatIsCrossedToTheInterval() {
        // given
        accept(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build());
        task.tick(T0 + 1000);

        // when
        task.process(topics.events(), KEY, event("s", "a").build());
        task.process(topics.events(), KEY, event("s", "b").build());

        // then
        assertThat(task.punctuators()).hasSize(1);
        task.tick(T0 + 2000);
        assertThat(task.stored("s")).hasSize(1);
    }

    @Test
    @Tag("O-16")
    void shouldTellHowItStandsWhenItsWorkIsDone() {
        // given
        task.process(topics.events(), KEY, event("s", "a").build());
        task.tick(T0 + 1000);
        delete("c-1");

        // when
        task.tick(T0 + 1010);
        task.tick(T0 + 1020);

        // then
        assertThat(task.punctuators()).hasSize(1);
        assertThat(Objects.requireNonNull(task.observer.status).namespaces()).isEmpty();
    }

    @Test
    @Tag("B-8")
    void shouldLookOftenUntilThePoliciesAreThereToWhichItIsCalled() {
        // given
        task.process(topics.events(), KEY, event("s", "a").build());
        task.tick(T0 + 1000);

        // when
        call(7);
        task.tick(T0 + 1010);
        long waiting = busyPeriodMs();
        accept(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(10)).build());
        task.tick(T0 + 1020);
        task.tick(T0 + 1030);

        // then
        assertThat(waiting).isEqualTo(10);
        assertThat(task.stored("s")).isEmpty();
        assertThat(task.punctuators()).hasSize(1);
    }

    @Test
    @Tag("B-8")
    void shouldNotLookOftenForPoliciesThatDoNotCome() {
        // given
        task.tick(T0 + 1000);
        call(7);

        // when
        task.tick(T0 + 2999);
        int before = task.punctuators().size();
        task.tick(T0 + 3000);

        // then
        assertThat(before).isEqualTo(2);
        assertThat(task.punctuators()).hasSize(1);
    }

    @Test
    @Tag("B-5")
    @Tag("A-1")
    void shouldLookAtNoStoreInASliceThatFindsNothing() {
        // given
        accept(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(2)).build());
        task.process(topics.events(), KEY, event("s", "a").build());
        task.process(topics.events(), KEY, event("s", "b").status("pending").build());
        task.tick(T0 + 1000);
        task.failStores();

        // when
        task.tick(T0 + 2000);

        // then
        assertThat(Objects.requireNonNull(task.observer.status).lastSweepPointMs())
                .isEqualTo(T0 + 2000);
        assertThat(task.observer.status.nextSweepMs()).isGreaterThan(T0 + 2000);
    }

    @Test
    @Tag("B-5")
    @Tag("O-6")
    void shouldCountStaleWorkWhenThereMayBeSomeAndNotBefore() {
        // given
        long dayMs = settings.staleThreshold().toMillis();
        task.process(topics.events(), KEY, event("s", "a").status("pending").build());
        task.tick(T0 + 1000);
        task.tick(T0 + 11_000);
        task.tick(T0 + 12_000);
        long lastCountMs = T0 + dayMs - 20_000;
        task.tick(lastCountMs);

        // when nothing changes
        task.failStores();
        task.tick(T0 + dayMs - 1);
        task.tick(T0 + dayMs);
        TaskStatus before = Objects.requireNonNull(task.observer.status);

        // then it counts when the event becomes stale, and that asks the store
        assertThat(before.stale()).isEqualTo(TaskStatus.Stale.NONE);
        assertThatThrownBy(() -> task.tick(T0 + dayMs + 1)).hasMessageContaining("closed");
    }

    @Test
    @Tag("B-5")
    void shouldHaveItsTurnsWithTheOtherTasksOfItsThread() {
        // given
        TaskFixture other = new TaskFixture(topics, 1, records, settings, slices);

        // then
        assertThat(task.punctuators().get(0).getStartTime()).isEqualTo(Instant.ofEpochMilli(T0 + 1000));
        assertThat(other.punctuators().get(0).getStartTime()).isEqualTo(Instant.ofEpochMilli(T0 + 1000));
    }

    @Test
    @Tag("B-5")
    void shouldTakeNoTurnWhileItRests() {
        // given
        AtomicLong asked = new AtomicLong();
        ThreadSlices counted = new ThreadSlices(2, Duration.ofSeconds(1), asked::incrementAndGet);
        TaskFixture idle = new TaskFixture(topics, 0, records, settings, counted);
        idle.tick(T0 + 1000);
        long before = asked.get();

        // when
        idle.tick(T0 + 2000);

        // then
        assertThat(before).isPositive();
        assertThat(asked).hasValue(before);
        idle.process(topics.events(), KEY, dead(1));
        idle.tick(T0 + 3000);
        assertThat(asked).hasValueGreaterThan(before);
        assertThat(idle.stored("s")).isEmpty();
    }

    @Test
    @Tag("A-6")
    void shouldComeLessOftenWhileRecordsWaitForAnotherTaskOfItsThread() {
        // given
        TaskFixture other = new TaskFixture(topics, 1, records, settings, slices);
        for (int i = 0; i < 7; i++) {
            task.process(topics.events(), KEY, dead(i));
        }
        task.tick(T0 + 1000);

        // when
        other.process(topics.events(), KEY, event("s", "alive").build());
        task.tick(T0 + 1100);
        long whileTheOtherTakesIn = busyPeriodMs();
        task.tick(T0 + 1200);

        // then
        assertThat(whileTheOtherTakesIn).isEqualTo(50);
        assertThat(busyPeriodMs()).isEqualTo(10);
    }

    @Test
    @Tag("I-7")
    void shouldBuildItsMemoryAnewWhenItIsRevived() {
        // given
        task.process(topics.events(), KEY, dead(1));
        task.process(topics.events(), KEY, event("s", "alive").build());

        // when
        task.init();
        task.process(topics.events(), KEY, event("s", "alive").type("again").build());
        task.tick(T0 + 1000);

        // then
        assertThat(task.stored("s")).singleElement().satisfies(stored -> {
            assertThat(stored.event().type()).isEqualTo("again");
            assertThat(stored.storedAt()).isEqualTo(T0);
        });
    }

    /** A partition that goes elsewhere takes its memory with it, also if its thread gets no other in its place. */
    @Test
    @Tag("A-8")
    void shouldLeaveNothingOfItsPartitionBehindWhenItIsClosed() throws InterruptedException {
        WeakReference<Object> part = partOfAClosedTask();

        Forgotten.await(part);
    }

    private WeakReference<Object> partOfAClosedTask() {
        TaskFixture other = new TaskFixture(topics, 1, records, settings, slices);
        other.process(topics.events(), KEY, dead(1));
        other.tick(T0 + 1000);
        other.close();
        return new WeakReference<>(other.observer);
    }

    private void delete(String commandId) {
        task.process(topics.commands(), KEY, records.bytes(request(commandId, CommandFixture.delete("s"))));
    }

    private void call(long reflectedOffset) {
        Errand call = new Errand("policies-7", Errand.Step.FOLLOW, -1, JsonState.write(new Follow(reflectedOffset)));
        task.process(topics.commands(), "policies-7".getBytes(StandardCharsets.UTF_8), records.bytes(call));
    }

    private void accept(RetentionPolicy policy) {
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.POLICY_VERSION, 7);
        String key = policy.scope().toString();
        task.views.accept(new Accepted(key, records.bytes(policy), null, 3, T0, headers));
    }

    private long busyPeriodMs() {
        return busyPeriodMs(task);
    }

    private static long busyPeriodMs(TaskFixture task) {
        CapturedPunctuator busy = task.punctuators().get(task.punctuators().size() - 1);
        return busy.getInterval().toMillis();
    }

    private static TopologySettings settingsWithSlice(long sliceMs) {
        return new SettingsLike(TopologyFixture.settings(OptionalLong.of(1), 2))
                .sweepSlice(Duration.ofMillis(sliceMs))
                .make();
    }

    private static Event dead(int number) {
        return event("s", "dead" + number).expiresAt(T0 - 1).build();
    }
}
