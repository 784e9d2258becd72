package dev.ebb.sql;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

@Tag("A-14")
class ConnectorSupervisorTest {

    private static final ConnectorConfig CONFIG =
            new ConnectorConfig("ebb-events", Map.of("topics", "ebb.mirror.events", "tasks.max", "1"));

    private final TestClock clock = new TestClock();
    private FakeConnect connect;
    private ConnectorSupervisor supervisor;

    @BeforeEach
    void startConnect() throws IOException {
        connect = new FakeConnect();
        supervisor = new ConnectorSupervisor(List.of(CONFIG), new ConnectClient(connect.access()), clock);
    }

    @AfterEach
    void stopConnect() {
        connect.close();
    }

    @Test
    void shouldBeStartingBeforeItHasLooked() {
        assertThat(supervisor.statuses()).extracting(ConnectorStatus::state).containsExactly(ConnectorStatus.STARTING);
    }

    @Test
    @Tag("O-25")
    void shouldBeStartingUntilConnectHadAMinuteForTheTasks() {
        // given: Connect has the connector, and no task yet
        connect.hasTasks = false;
        supervisor.look(true);
        assertThat(status().state()).isEqualTo(ConnectorStatus.STARTING);

        // when
        clock.advance(Duration.ofMinutes(1).minusMillis(1));
        supervisor.look(true);

        // then
        assertThat(status().state()).isEqualTo(ConnectorStatus.STARTING);

        // when
        clock.advance(Duration.ofMillis(1));
        supervisor.look(true);

        // then
        assertThat(status().state()).isEqualTo(ConnectorStatus.UNASSIGNED);
    }

    @Test
    @Tag("O-25")
    void shouldGiveEachStartAMinute() {
        // given: a start that ended, and much later a worker that gives the tasks out anew
        supervisor.look(true);
        clock.advance(Duration.ofHours(1));
        connect.hasTasks = false;

        // when
        supervisor.look(true);

        // then
        assertThat(status().state()).isEqualTo(ConnectorStatus.STARTING);

        // when
        connect.hasTasks = true;
        supervisor.look(true);
        connect.hasTasks = false;
        clock.advance(Duration.ofMinutes(2));
        supervisor.look(true);

        // then
        assertThat(status().state()).isEqualTo(ConnectorStatus.STARTING);
    }

    @Test
    void shouldCreateWhatIsMissingOnceTheTablesAreThere() {
        // when
        supervisor.look(false);
        clock.advance(Duration.ofMinutes(1));
        supervisor.look(false);

        // then
        assertThat(status().state()).isEqualTo(ConnectorStatus.MISSING);
        assertThat(connect.configs).isEmpty();

        // when
        supervisor.look(true);

        // then
        assertThat(status().state()).isEqualTo(ConnectorStatus.RUNNING);
        assertThat(connect.configs.get("ebb-events")).containsAllEntriesOf(CONFIG.settings());
    }

    @Test
    void shouldSendTheSettingsOnlyIfTheyDiffer() {
        // given
        supervisor.look(true);

        // when
        clock.advance(Duration.ofMinutes(2));
        supervisor.look(true);

        // then
        assertThat(connect.calls).containsOnlyOnce("PUT config");

        // when
        connect.configs.get("ebb-events").put("tasks.max", "7");
        clock.advance(Duration.ofMinutes(2));
        supervisor.look(true);

        // then
        assertThat(connect.configs.get("ebb-events")).containsEntry("tasks.max", "1");
    }

    @Test
    void shouldRestartAFailedTaskLaterAndLater() {
        // given
        supervisor.look(true);
        connect.taskState = "FAILED";
        connect.trace =
                "org.apache.kafka.connect.errors.ConnectException: Exiting\n\tat x\nCaused by: java.io.IOException: refused\n\tat y";

        // when
        for (int second = 0; second <= 31; second++) {
            supervisor.look(true);
            clock.advance(Duration.ofSeconds(1));
        }

        // then
        assertThat(connect.calls.stream().filter("POST restart"::equals)).hasSize(5);
        assertThat(status())
                .isEqualTo(new ConnectorStatus(
                        "ebb-events",
                        ConnectorStatus.FAILED,
                        List.of("FAILED"),
                        java.util.Optional.of("java.io.IOException: refused"),
                        5));
    }

    @Test
    void shouldTakeAnAbsentConnectForAState() {
        // given
        supervisor.look(true);
        connect.close();

        // when
        supervisor.look(true);

        // then
        assertThat(status().state()).isEqualTo(ConnectorStatus.UNREACHABLE);
        assertThat(status().problem().orElse("")).contains("nothing answers at http://127.0.0.1:");
    }

    @Test
    void shouldShowTheRefusalOfConnect() {
        // given
        connect.refuseWith = 409;

        // when
        supervisor.look(true);

        // then: a worker that gives its tasks out anew answers again within seconds
        assertThat(status().state()).isEqualTo(ConnectorStatus.STARTING);
        assertThat(status().problem()).contains("HTTP 409: rebalance; in progress");

        // when
        clock.advance(Duration.ofMinutes(1));
        supervisor.look(true);

        // then
        assertThat(status().state()).isEqualTo(ConnectorStatus.UNASSIGNED);
    }

    @Test
    @Tag("O-28")
    void shouldSayOnceWithItsAddressThatConnectIsAway() throws IOException {
        // given
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(ConnectorSupervisor.class);
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
        ConnectorConfig other = new ConnectorConfig("ebb-audit", CONFIG.settings());
        ConnectAccess access = connect.access();
        supervisor = new ConnectorSupervisor(List.of(CONFIG, other), new ConnectClient(access), clock);
        supervisor.look(true);
        lines.list.clear();

        // when
        connect.close();
        supervisor.look(true);
        supervisor.look(true);

        // then
        logger.detachAppender(lines);
        logger.setLevel(null);
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("Kafka Connect at " + access.urls().get(0) + "/ is away");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            dev.ebb.Sink  | HTTP 500: rebalance; in progress
            dev.ebb.Other | the Connect worker has no plugin with dev.ebb.Sink: add the folder ebb-sink to its plugin path, \
            or set connect.sink=debezium
            """)
    void shouldSayWhatAWorkerWithoutThePluginNeeds(String plugin, String problem) {
        // given
        connect.refuseWith = 500;
        connect.refused = "PUT";
        connect.plugins = List.of(plugin);
        var configured = new ConnectorConfig("ebb-events", Map.of("topics", "t", "connector.class", "dev.ebb.Sink"));
        var newSink = new ConnectorSupervisor(List.of(configured), new ConnectClient(connect.access()), clock);

        // when
        newSink.look(true);

        // then
        assertThat(newSink.statuses().get(0).problem()).contains(problem);
    }

    private ConnectorStatus status() {
        return supervisor.statuses().get(0);
    }

    private static final class TestClock extends Clock {

        private Instant now = Instant.parse("2026-11-21T10:00:00Z");

        void advance(Duration duration) {
            now = now.plus(duration);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
