package dev.ebb.runtime.life;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.read.ListAppender;
import dev.ebb.model.ProjectFiles;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** One line for each failure, with its cause; a stack trace only where it tells something new. */
@Tag("O-28")
class FailuresInLogTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(LoggingLifecycleObserver.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final LoggingLifecycleObserver observer = new LoggingLifecycleObserver();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
    }

    @Test
    void shouldShowTheStackTraceOfAFailureOnce() {
        // when
        for (int times = 1; times <= 3; times++) {
            observer.threadReplaced(failure(times, new IllegalStateException("odd")));
        }

        // then
        assertThat(log.list)
                .extracting(line -> line.getThrowableProxy() != null)
                .containsExactly(true, false, false);
        assertThat(log.list)
                .allSatisfy(line ->
                        assertThat(line.getKeyValuePairs().toString()).contains("why=\"IllegalStateException: odd\""));
    }

    @Test
    void shouldNameAFullDiskInOneLine() {
        // given
        IOException full = new IOException("While appending to file: 000012.log: No space left on device");

        // when
        observer.threadReplaced(failure(1, full));
        observer.failed(new IllegalStateException("a store", full));

        // then
        assertThat(log.list).hasSize(2).allSatisfy(line -> {
            assertThat(line.getThrowableProxy()).isNull();
            assertThat(line.getKeyValuePairs().toString()).contains("No space left on device");
        });
    }

    /** Kafka Streams has the stack trace of one failure in many places; Ebb shows it once. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "KafkaStreams",
                "processor.internals.StreamThread",
                "processor.internals.TaskExecutor",
                "processor.internals.ProcessorNode",
                "processor.internals.ProcessorStateManager",
                "errors.LogAndFailProcessingExceptionHandler"
            })
    void shouldShowNoStackTraceASecondTime(String name) throws JoranException {
        // given
        LoggerContext context = new LoggerContext();
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);

        // when
        configurator.doConfigure(
                ProjectFiles.file("src/app/main/resources/logback.xml").toFile());

        // then
        assertThat(context.getLogger("org.apache.kafka.streams." + name).isErrorEnabled())
                .isFalse();
    }

    private static LifecycleObserver.ThreadFailure failure(int times, Exception cause) {
        return new LifecycleObserver.ThreadFailure(
                "partition 3", null, times, 5, new IllegalStateException("wrapped", cause));
    }
}
