package dev.ebb.runtime.streams;

import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.REPLACE_THREAD;
import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.runtime.life.LifecycleObserver;
import dev.ebb.runtime.life.LifecycleObserver.ThreadFailure;
import dev.ebb.store.layout.StateFormatException;
import dev.ebb.topology.fault.FailedRecordException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.TaskId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ThreadReplacementTest {

    private final Exception failure = new IllegalStateException("as the test wants it");

    private final List<Throwable> failed = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private final List<ThreadFailure> replaced = new ArrayList<>();
    private long nanos;
    private final ThreadReplacement handler = new ThreadReplacement(
            new LifecycleObserver() {
                @Override
                public void refused(String reason) {
                    refused.add(reason);
                }

                @Override
                public void failed(Throwable failure) {
                    failed.add(failure);
                }

                @Override
                public void threadReplaced(ThreadFailure failure) {
                    replaced.add(failure);
                }
            },
            () -> nanos);

    @Test
    void shouldReplaceThreadsUntilTooManyFailInTenMinutes() {
        // when
        for (int i = 0; i < 5; i++) {
            assertThat(handler.handle(failure)).isEqualTo(REPLACE_THREAD);
        }

        // then
        nanos = Duration.ofMinutes(10).toNanos();
        assertThat(handler.handle(failure)).isEqualTo(SHUTDOWN_CLIENT);
        assertThat(failed).containsExactly(failure);
    }

    @Test
    void shouldForgetFailuresAfterTenMinutes() {
        // given
        for (int i = 0; i < 5; i++) {
            handler.handle(failure);
        }

        // when
        nanos = Duration.ofMinutes(10).toNanos() + 1;

        // then
        assertThat(handler.handle(failure)).isEqualTo(REPLACE_THREAD);
    }

    @Test
    void shouldEndAtOnceWhereTheStateIsForAnotherVersion() {
        // when
        var answer = handler.handle(new StreamsException("a task", new StateFormatException("written by 9.9.9")));

        // then
        assertThat(answer).isEqualTo(SHUTDOWN_CLIENT);
        assertThat(handler.isRefused()).isTrue();
        assertThat(refused).containsExactly("written by 9.9.9");
        assertThat(failed).isEmpty();
    }

    /** A record that fails again is set aside, so that another thread gets past it (O-20). */
    @Test
    void shouldNotCountFailuresWithOneRecord() {
        // when
        for (int i = 0; i < 100; i++) {
            var ofOneRecord = new StreamsException("a task", new FailedRecordException("offset " + i, failure));
            assertThat(handler.handle(ofOneRecord)).isEqualTo(REPLACE_THREAD);
        }
        var tooDeep = new FailedRecordException("offset 100", new StackOverflowError("as the test wants it"));
        assertThat(handler.handle(new StreamsException("a task", tooDeep))).isEqualTo(REPLACE_THREAD);

        // then
        shouldReplaceThreadsUntilTooManyFailInTenMinutes();
    }

    @Test
    void shouldNotGoOnWithoutMemory() {
        assertThat(handler.handle(new OutOfMemoryError("as the test wants it"))).isEqualTo(SHUTDOWN_CLIENT);
        assertThat(handler.handle(in(3, new StackOverflowError("as the test wants it"))))
                .isEqualTo(SHUTDOWN_CLIENT);
    }

    @Test
    @Tag("O-1")
    void shouldNotEndTheInstanceForHiccupsOfDifferentPartitions() {
        // when
        for (int partition = 0; partition < 10; partition++) {
            assertThat(handler.handle(in(partition, failure))).isEqualTo(REPLACE_THREAD);
            assertThat(handler.handle(in(partition, new IllegalArgumentException("another"))))
                    .isEqualTo(REPLACE_THREAD);
        }

        // then: twenty of all kinds are enough
        assertThat(failed).isEmpty();
        assertThat(handler.handle(in(10, failure))).isEqualTo(SHUTDOWN_CLIENT);
    }

    @Test
    @Tag("O-1")
    void shouldCountRepeatedFailuresOfOnePartition() {
        // given: other partitions fail meanwhile
        for (int i = 0; i < 5; i++) {
            assertThat(handler.handle(in(3, failure))).isEqualTo(REPLACE_THREAD);
            assertThat(handler.handle(in(i + 4, failure))).isEqualTo(REPLACE_THREAD);
        }

        // when
        nanos += Duration.ofMinutes(10).toNanos();

        // then
        assertThat(handler.handle(in(3, failure))).isEqualTo(SHUTDOWN_CLIENT);
    }

    @Test
    void shouldNameTheFailuresAndTheirNumber() {
        // given
        assertThat(handler.recent()).isNull();

        // when
        handler.handle(in(3, failure));
        handler.handle(in(3, new IllegalArgumentException("another")));
        handler.handle(in(3, failure));
        handler.handle(new StreamsException("a task", failure, new TaskId(1, 0)));
        handler.handle(failure);

        // then
        assertThat(replaced)
                .extracting(ThreadFailure::where, ThreadFailure::work, ThreadFailure::times, ThreadFailure::limit)
                .containsExactly(
                        tuple("partition 3", null, 1, 5),
                        tuple("partition 3", null, 1, 5),
                        tuple("partition 3", null, 2, 5),
                        tuple("the policies", null, 1, 5),
                        tuple("a thread", null, 1, 5));
        assertThat(handler.recent())
                .isEqualTo("threads failed in the last 10m: partition 3 (3 times), the policies (once),"
                        + " a thread (once); see the log");
        nanos += Duration.ofMinutes(10).toNanos() + 1;
        assertThat(handler.recent()).isNull();
    }

    private static StreamsException in(int partition, Throwable cause) {
        return new StreamsException("as Kafka Streams passes it on", cause, new TaskId(0, partition));
    }
}
