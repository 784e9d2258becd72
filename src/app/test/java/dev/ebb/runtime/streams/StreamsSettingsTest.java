package dev.ebb.runtime.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.store.rocks.CommittedOffsets;
import dev.ebb.store.rocks.SharedMemory;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.internals.ClientUtils.QuietStreamsConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamsSettingsTest {

    @Test
    void shouldCarryEverySettingThatMattersToTheStreams() {
        // when
        Properties settings = of(Map.of(
                "application.id", "app",
                "commit.interval", "250ms",
                "stream.threads", "7",
                "standby.replicas", "2",
                "group.instance.id", "one",
                "api.advertised", "host:1",
                "topics.replication.factor", "3",
                "state.dir", "/somewhere/state",
                "kafka.security.protocol", "SSL"));

        // then
        assertThat(settings)
                .containsEntry("application.id", "app")
                .containsEntry("commit.interval.ms", 250L)
                .containsEntry("num.stream.threads", 7)
                .containsEntry("num.standby.replicas", 2)
                .containsEntry("consumer.group.instance.id", "one")
                .containsEntry("application.server", "host:1")
                .containsEntry("replication.factor", 3)
                .containsEntry("state.dir", "/somewhere/state")
                .containsEntry("security.protocol", "SSL");
    }

    /** With a limit of 45 s, of which the takeover and the end of open transactions need their part. */
    @Test
    @Tag("A-18")
    void shouldNoticeADeadInstanceAfterHalfAMinuteUnlessTheSettingsSayOtherwise() {
        // when
        Map<String, Object> usual = consumer(Map.of());
        Map<String, Object> own = consumer(Map.of("kafka.session.timeout.ms", "180000"));

        // then
        assertThat(usual).containsEntry("session.timeout.ms", 30_000).containsEntry("heartbeat.interval.ms", 1_000);
        assertThat(own).containsEntry("session.timeout.ms", "180000");
        assertThat(of(Map.of("group.protocol", "streams"))).doesNotContainKey("session.timeout.ms");
    }

    private static Map<String, Object> consumer(Map<String, String> flags) {
        return new StreamsConfig(of(flags)).getMainConsumerConfigs("app", "client", 0);
    }

    @Test
    @Tag("A-6")
    void shouldProcessExactlyOnceUnlessTheSettingsSayOtherwise() {
        assertThat(of(Map.of()))
                .containsEntry("processing.guarantee", "exactly_once_v2")
                .containsEntry("producer.transaction.timeout.ms", 20_000);
        assertThat(of(Map.of("processing.guarantee", "at_least_once")))
                .containsEntry("processing.guarantee", "at_least_once")
                .doesNotContainKey("producer.transaction.timeout.ms");
    }

    @Test
    @Tag("A-6")
    void shouldNotWaitLongForRecordsBeforeItGoesOnWithASweep() {
        assertThat((long) of(Map.of()).get("poll.ms")).isLessThanOrEqualTo(10);
    }

    /** A commit waits until the buffer is sent; a buffer below the biggest request could not send that request. */
    @Test
    @Tag("A-6")
    @Tag("B-7")
    void shouldLetAThreadHaveLittleUnsentButTheBiggestRequestTwice() {
        assertThat(of(Map.of())).containsEntry("producer.buffer.memory", 8L << 20);
        Properties huge = of(Map.of("record.max.bytes", "10000000"));
        assertThat((long) huge.get("producer.buffer.memory"))
                .isEqualTo(2L * (int) huge.get("producer.max.request.size"));
        assertThat(of(Map.of("kafka.producer.buffer.memory", "50000000")))
                .containsEntry("producer.buffer.memory", "50000000");
    }

    @Test
    @Tag("B-1")
    void shouldCompressRecordsUnlessAnotherWayIsGiven() {
        assertThat(of(Map.of())).containsEntry("producer.compression.type", "lz4");
        assertThat(of(Map.of("kafka.producer.compression.type", "none")))
                .containsEntry("producer.compression.type", "none");
    }

    @Test
    @Tag("B-21")
    void shouldLookSeldomWhetherThereIsAnythingUnlessAnotherTimeIsGiven() {
        assertThat(of(Map.of()))
                .containsEntry("main.consumer.retry.backoff.ms", 500L)
                .containsEntry("main.consumer.fetch.max.wait.ms", 1000);
        assertThat(of(Map.of("kafka.main.consumer.retry.backoff.ms", "50")))
                .containsEntry("main.consumer.retry.backoff.ms", "50");
    }

    /**
     * A fixed size stops the operating system from finding one itself; Kafka's default sizes are smaller than a batch.
     */
    @Test
    void shouldLeaveTheSizeOfSocketBuffersToTheSystemUnlessItIsGiven() {
        assertThat(of(Map.of()))
                .containsEntry("producer.send.buffer.bytes", -1)
                .containsEntry("consumer.receive.buffer.bytes", -1);
        assertThat(of(Map.of("kafka.producer.send.buffer.bytes", "65536")))
                .containsEntry("producer.send.buffer.bytes", "65536");
    }

    /** Each written partition takes a whole batch from the unsent bytes that a thread may have. */
    @ParameterizedTest
    @CsvSource({
        // partitions, threads, bytes of a batch, MiB unsent
        "7, 1, 131072, 8",
        "8, 1, 131072, 8",
        "9, 1, 116508, 8",
        "16, 2, 131072, 8",
        "17, 2, 116508, 8",
        "64, 2, 32768, 8",
        "128, 2, 16384, 8",
        "129, 2, 16384, 8",
        "1024, 2, 16384, 64"
    })
    @Tag("A-6")
    void shouldLetBatchesOfManyPartitionsBeSmallEnoughForAll(int partitions, int threads, int batch, int unsentMib) {
        // when
        Properties settings = of(Map.of("topics.partitions", "" + partitions, "stream.threads", "" + threads));

        // then
        assertThat(settings).containsEntry("producer.batch.size", batch);
        assertThat((long) settings.get("producer.buffer.memory") >> 20).isEqualTo(unsentMib);
    }

    @Test
    @Tag("A-10")
    void shouldDropStateBeforeItsChangelogForgetsDeletes() {
        // given
        Duration remembered = Duration.ofDays(30);

        // when
        Properties settings = of(Map.of("topics.tombstone.retention", "30d"));

        // then
        assertThat((long) settings.get("state.cleanup.dir.max.age.ms")).isLessThan(remembered.toMillis());
        assertThat(settings).containsEntry("ensure.explicit.internal.resource.naming", true);
    }

    @Test
    void shouldBeAcceptedByKafkaStreams() {
        assertThat(new StreamsConfig(of(Map.of())).getString("processing.guarantee"))
                .isEqualTo("exactly_once_v2");
    }

    /** Kafka warns in each thread otherwise, because the assignor knows the settings of its consumer alone. */
    @Test
    void shouldTellTheAssignorThatTheHandlerOfTheGlobalThreadIsSwitchedOn() {
        // given
        StreamsConfig settings = new StreamsConfig(of(Map.of()));

        // when
        StreamsConfig ofAssignor = new QuietStreamsConfig(settings.getMainConsumerConfigs("app", "client", 0));

        // then
        assertThat(settings.getBoolean("processing.exception.handler.global.enabled"))
                .isTrue();
        assertThat(ofAssignor.getBoolean("processing.exception.handler.global.enabled"))
                .isTrue();
    }

    private static Properties of(Map<String, String> flags) {
        EbbConfig config = EbbConfig.load(new ConfigSources(null, Map.of(), new HashMap<>(flags)));
        try (var memory = new SharedMemory(2_000_000, 1_000_000, 0)) {
            return StreamsSettings.of(config, memory, new CommittedOffsets());
        }
    }
}
