package dev.ebb.topology.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.layout.StateFormatException;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.wire.TooBigToSendException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("O-20")
class RecordGuardTest {

    private static final InputRecord RECORD = new InputRecord("ebb.events", 3, 77, 0, null, null, new RecordHeaders());

    private final FailedRecords failed = new FailedRecords();
    private final List<Rejection> rejected = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final RecordGuard guard = guard();

    private RecordGuard guard() {
        RetentionObserver observer = new RetentionObserver() {
            @Override
            public void recordFailed(String topic, int partition, long offset, Throwable failure) {
                told.add(topic + "-" + partition + " " + offset + " " + failure);
            }
        };
        return new RecordGuard(failed, observer, (record, rejection) -> rejected.add(rejection));
    }

    @Test
    void shouldPassOnWhatARecordWaitsFor() {
        assertThat(guard.take(RECORD, () -> "the registry")).isEqualTo("the registry");
        assertThat(guard.<String>take(RECORD, () -> null)).isNull();
        assertThat(rejected).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void shouldSetAsideWhatFailsBeforeAnythingIsWritten(Throwable failure) {
        // when
        assertThat(guard.take(RECORD, () -> fail(failure))).isNull();

        // then
        assertThat(rejected).containsExactly(new Rejection(RejectReason.FAILED, "taking it in failed: " + failure));
        assertThat(told).containsExactly("ebb.events-3 77 " + failure);
        assertThat(failed.size()).isZero();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void shouldSetAsideWhatFailedHalfwayWhenItComesAgain(Throwable failure) {
        // given
        assertThatThrownBy(() -> guard.take(RECORD, () -> {
                    guard.writing();
                    return fail(failure);
                }))
                .isInstanceOf(FailedRecordException.class)
                .hasMessageContaining("offset 77 of ebb.events-3")
                .hasCause(failure);
        assertThat(rejected).isEmpty();

        // when the record comes to the next owner of the task
        boolean[] isTried = new boolean[1];
        RecordGuard next = guard();
        next.take(RECORD, () -> {
            isTried[0] = true;
            return null;
        });

        // then
        assertThat(isTried).containsExactly(false);
        assertThat(rejected).containsExactly(new Rejection(RejectReason.FAILED, "taking it in failed: " + failure));
        assertThat(told).hasSize(1);
    }

    /** Writes of one record say nothing of the next. */
    @Test
    void shouldBeginAnewWithEachRecord() {
        // given
        guard.take(RECORD, () -> {
            guard.writing();
            return null;
        });

        // when
        guard.take(RECORD, () -> fail(new IllegalStateException("next")));

        // then
        assertThat(rejected).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("failuresOfTheInstance")
    void shouldLetThroughWhatConcernsTheWholeInstance(Throwable failure) {
        for (boolean isWriting : new boolean[] {false, true}) {
            assertThatThrownBy(() -> guard.take(RECORD, () -> {
                        if (isWriting) {
                            guard.writing();
                        }
                        return fail(failure);
                    }))
                    .isSameAs(failure);
        }
        assertThat(rejected).isEmpty();
        assertThat(failed.size()).isZero();
    }

    static Stream<Throwable> failures() {
        return Stream.of(
                new IllegalStateException("a"),
                new NullPointerException("b"),
                new TooBigToSendException("c"),
                new IndexOutOfBoundsException("d"),
                new StackOverflowError("e"));
    }

    static Stream<Throwable> failuresOfTheInstance() {
        return Stream.of(
                new KafkaException("a"),
                new StreamsException("b"),
                new TaskMigratedException("c"),
                new ProducerFencedException("d"),
                new AuthorizationException("e"),
                new ProcessorStateException("f"),
                new StateFormatException("g"),
                new RegistryUnavailableException("h", null),
                new IllegalStateException("around", new ProducerFencedException("i")),
                new OutOfMemoryError("j"));
    }

    private static String fail(Throwable failure) {
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        throw (Error) failure;
    }
}
