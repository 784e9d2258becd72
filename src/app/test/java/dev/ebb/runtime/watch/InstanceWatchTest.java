package dev.ebb.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

class InstanceWatchTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(RetentionLog.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final PrometheusRegistry registry = new PrometheusRegistry();

    @BeforeEach
    void listen() {
        log.start();
        logger.setAdditive(false);
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
        logger.setLevel(null);
        logger.setAdditive(true);
    }

    @Test
    void shouldCountAndLogAFailure() throws IOException {
        // when
        InstanceWatch.of(registry).observer().sweepFailed(3, new IllegalStateException("as the test wants it"));

        // then
        var page = new ByteArrayOutputStream();
        new PrometheusPage(registry).write("text/plain", page);
        assertThat(page.toString(StandardCharsets.UTF_8)).contains("ebb_sweeps_failed_total{partition=\"3\"} 1.0");
        assertThat(log.list).singleElement().satisfies(event -> {
            assertThat(event.getMessage()).isEqualTo("a sweep failed and is tried again");
            assertThat(event.getThrowableProxy().getMessage()).isEqualTo("as the test wants it");
            assertThat(event.getKeyValuePairs()).containsExactly(new KeyValuePair("partition", 3));
        });
    }

    @Test
    @Tag("O-28")
    void shouldLogTheRestOfTheSweepsWhenAPartitionOrTheInstanceLeaves() {
        // given
        InstanceWatch watch = InstanceWatch.of(registry);
        for (int partition = 0; partition < 2; partition++) {
            watch.observer().swept(SweptLatelyTest.report(partition, "TTL", 3, false));
            watch.observer().swept(SweptLatelyTest.report(partition, "TTL", 2_000_000, true));
        }
        log.list.clear();

        // when
        watch.observer().taskClosed(1);
        watch.log().close();

        // then
        assertThat(log.list)
                .extracting(ILoggingEvent::getKeyValuePairs)
                .allSatisfy(pairs -> assertThat(pairs)
                        .contains(new KeyValuePair("deleted", "TTL 2000000"), new KeyValuePair("stoppedEarly", 1L)))
                .extracting(pairs -> pairs.get(0))
                .containsExactly(new KeyValuePair("partition", 1), new KeyValuePair("partition", 0));
    }
}
