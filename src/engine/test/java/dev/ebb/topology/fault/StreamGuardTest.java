package dev.ebb.topology.fault;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.store.EventStore;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.layout.Quarantine;
import dev.ebb.store.layout.StateFormatException;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.SweepSchedule;
import dev.ebb.topology.observe.RetentionObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A failure of one stream stays with that stream. */
@Tag("I-3")
class StreamGuardTest {

    private static final int PARTITION = 3;

    private final StoreFixture fixture = new StoreFixture();
    private final EventStore store = fixture.store;
    private final Failures failures = new Failures();
    private final List<String> failed = new ArrayList<>();
    private final StreamGuard guard = new StreamGuard(
            store,
            fixture.schedule,
            new RetentionObserver() {
                @Override
                public void streamFailed(int partition, StreamName stream, Exception failure) {
                    failed.add(partition + " " + stream + " " + failure.getMessage());
                }
            },
            failures,
            PARTITION);

    @BeforeEach
    void fill() {
        fixture.event(event("a/1", "e"));
        fixture.event(event("a/2", "e"));
    }

    @Test
    void shouldBeginWithTheStreamsThatEndedTheTaskBefore() {
        // given
        remember("a/1", "bang");
        failures.remember(PARTITION, "streams/a/2", "the work of a command, not a stream");
        failures.remember(PARTITION + 1, StreamGuard.nameOf(new StreamName("a/2")), "elsewhere");
        remember("gone/1", "not here any more");
        failures.remember(PARTITION, "stream/", "no name");

        // when
        guard.begin(7);

        // then
        assertThat(stream("a/1").quarantine()).isEqualTo(new Quarantine("bang", 7));
        assertThat(stream("a/2").quarantine()).isNull();
        assertThat(store.stream(new StreamName("gone/1"))).isNull();
    }

    @Test
    void shouldKeepTheFirstReason() {
        // given
        store.quarantine(stream("a/1"), new Quarantine("first", 1));
        remember("a/1", "second");

        // when
        guard.begin(7);

        // then
        assertThat(stream("a/1").quarantine()).isEqualTo(new Quarantine("first", 1));
    }

    @Test
    void shouldForgetTheFailureOfAReleasedStream() {
        // given
        remember("a/1", "bang");
        remember("a/2", "bang");
        guard.begin(7);

        // when
        guard.release(stream("a/1"));
        guard.begin(8);

        // then
        assertThat(stream("a/1").quarantine()).isNull();
        assertThat(stream("a/2").quarantine()).isEqualTo(new Quarantine("bang", 7));
    }

    @Test
    void shouldQuarantineAStreamWhoseWorkFailsAndSayWhy() {
        // when
        boolean isOver = guard.run(stream("a/1"), 5, () -> {
            throw new IllegalStateException("bang");
        });
        String result = guard.call(
                stream("a/2"),
                6,
                () -> {
                    throw new UnsupportedOperationException();
                },
                reason -> "failed with " + reason);

        // then
        assertThat(isOver).isTrue();
        assertThat(result).isEqualTo("failed with UnsupportedOperationException");
        assertThat(stream("a/1").quarantine()).isEqualTo(new Quarantine("bang", 5));
        assertThat(stream("a/2").quarantine()).isEqualTo(new Quarantine("UnsupportedOperationException", 6));
        assertThat(failed).containsExactly(PARTITION + " a/1 bang", PARTITION + " a/2 null");
        assertThat(guard.hasTorn()).isFalse();
    }

    @Test
    void shouldAnswerWithTheResultOfWorkThatDoesNotFail() {
        assertThat(guard.run(stream("a/1"), 5, () -> false)).isFalse();
        assertThat(guard.run(stream("a/1"), 5, () -> true)).isTrue();
        assertThat(guard.call(stream("a/1"), 5, () -> "done", reason -> reason)).isEqualTo("done");
        assertThat(stream("a/1").quarantine()).isNull();
        assertThat(failed).isEmpty();
    }

    /** Nothing is set aside for a failure that concerns the task or the instance. */
    @Test
    void shouldLetFailuresOfTheWholePass() {
        for (RuntimeException failure :
                List.of(new KafkaException("of Kafka"), new StateFormatException("of a newer version"))) {
            assertThatThrownBy(() -> guard.run(stream("a/1"), 5, () -> {
                        throw failure;
                    }))
                    .isSameAs(failure);
        }
        assertThat(stream("a/1").quarantine()).isNull();
        assertThat(failed).isEmpty();
    }

    /** Half of the work is done: the transaction must go with it, and the next task begins with the quarantine. */
    @Test
    void shouldLeaveAFailureAmongWritesThatBelongTogetherToTheNextTask() {
        // when
        assertThatThrownBy(() -> guard.attempt(
                        stream("a/1"),
                        5,
                        () -> store.send(() -> {
                            throw new IllegalStateException("bang");
                        })))
                .hasMessage("bang");

        // then
        assertThat(guard.hasTorn()).isTrue();
        assertThat(stream("a/1").quarantine()).isNull();
        assertThat(failed).isEmpty();
        assertThat(failures.get(PARTITION, StreamGuard.nameOf(new StreamName("a/1"))))
                .isEqualTo("bang");
    }

    @Test
    void shouldSayWhetherAnAttemptSucceeded() {
        // when
        boolean isWell = guard.attempt(stream("a/1"), 5, () -> {});
        boolean isFailure = guard.attempt(stream("a/2"), 5, () -> {
            throw new IllegalStateException("bang");
        });

        // then
        assertThat(isWell).isTrue();
        assertThat(isFailure).isFalse();
        assertThat(failed).containsExactly(PARTITION + " a/2 bang");
    }

    /** The sweep under way must not come upon a quarantined stream. */
    @Test
    @Tag("A-1")
    void shouldTellTheScheduleOfAQuarantine() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build());
        fixture.event(event("a/1", "f"));
        SweepSchedule schedule = new SweepSchedule(OptionalLong.empty(), stream -> stream.quarantine() != null);
        schedule.touch(stream("a/1"));
        StreamGuard own = new StreamGuard(store, schedule, new RetentionObserver() {}, failures, PARTITION);
        assertThat(schedule.backlog(fixture.nowMs, 10)).isEqualTo(1);

        // when
        own.attempt(stream("a/1"), 5, () -> {
            throw new IllegalStateException("bang");
        });

        // then
        assertThat(schedule.backlog(fixture.nowMs, 10)).isZero();
    }

    private void remember(String name, String reason) {
        failures.remember(PARTITION, StreamGuard.nameOf(new StreamName(name)), reason);
    }

    private StreamState stream(String name) {
        StreamState stream = store.stream(new StreamName(name));
        assertThat(stream).isNotNull();
        return stream;
    }
}
