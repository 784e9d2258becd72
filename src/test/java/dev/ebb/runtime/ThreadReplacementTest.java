package dev.ebb.runtime;

import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.REPLACE_THREAD;
import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.store.StateFormatException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;

class ThreadReplacementTest {

    private final Exception failure = new IllegalStateException("as the test wants it");

    private final List<Throwable> failed = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
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

    @Test
    void shouldNotGoOnWithoutMemory() {
        assertThat(handler.handle(new OutOfMemoryError("as the test wants it"))).isEqualTo(SHUTDOWN_CLIENT);
    }
}
