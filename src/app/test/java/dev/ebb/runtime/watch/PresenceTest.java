package dev.ebb.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@Tag("O-28")
class PresenceTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(Presence.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private long nowNanos = 9;
    private final Presence kafka = new Presence("Kafka", "broker:9092", () -> nowNanos);

    @BeforeEach
    void listen() {
        lines.start();
        logger.setAdditive(false);
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
    }

    @AfterEach
    void end() {
        logger.detachAppender(lines);
        logger.setLevel(null);
        logger.setAdditive(true);
    }

    @Test
    void shouldSayOnceThatItIsAwayAndOnceThatItIsBack() {
        // when
        kafka.answered();
        for (int i = 0; i < 100; i++) {
            kafka.gaveNoAnswer("it did not answer in time");
            nowNanos += TimeUnit.SECONDS.toNanos(1);
        }
        kafka.answered();
        kafka.answered();

        // then
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("Kafka at broker:9092 is away", "Kafka at broker:9092 is back");
        assertThat(kafka.problem()).isNull();
    }

    @Test
    void shouldNotTellOfASingleFailure() {
        // when
        for (int i = 0; i < 3; i++) {
            kafka.gaveNoAnswer("it did not answer in time");
            assertThat(kafka.problem()).isNull();
            kafka.answered();
        }

        // then
        assertThat(lines.list).isEmpty();
    }

    @Test
    void shouldTellARefusalFromSilence() {
        // when
        kafka.gaveNoAnswer("it did not answer in time");
        kafka.gaveNoAnswer("it did not answer in time");
        kafka.refused("Not authorized");
        kafka.refused("Not authorized");

        // then
        assertThat(kafka.problem()).isEqualTo("Kafka at broker:9092 refuses what is asked: Not authorized");
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("Kafka at broker:9092 is away", "Kafka at broker:9092 refuses what is asked");
    }
}
