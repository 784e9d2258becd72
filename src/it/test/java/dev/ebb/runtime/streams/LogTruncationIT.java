package dev.ebb.runtime.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.config.EbbConfig;
import dev.ebb.runtime.SharedStack;
import dev.ebb.runtime.kafka.Answers;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.store.rocks.CommittedOffsets;
import dev.ebb.store.rocks.LogEnds;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cuts of a log on a real broker: never more than is covered, and never before a sink has read it. */
@Tag("A-9")
@Tag("A-14")
@Timeout(120)
class LogTruncationIT {

    private static final int RECORDS = 10;

    private final EbbConfig config = SharedStack.config(Map.of());
    private final String topic = ConfiguredTopology.eventLog(config);
    private final TopicPartition log = new TopicPartition(topic, 0);
    private final CommittedOffsets offsets = new CommittedOffsets();
    private final LogEnds ends = offsets.ends(log);
    private final Map<TopicPartition, Long> read = new HashMap<>(Map.of(log, Long.MAX_VALUE));
    private final Admin admin = new KafkaClients(config).admin();

    @BeforeEach
    void write() throws ExecutionException, InterruptedException {
        new TopicAdmin(admin, config).create();
        try (Producer<byte[], byte[]> producer = new KafkaClients(config).producer()) {
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>(topic, 0, new byte[] {1}, new byte[] {2}))
                        .get();
            }
        }
        offsets.committed(log, RECORDS - 1);
    }

    @AfterEach
    void close() {
        admin.close();
    }

    @Test
    void shouldCutWhatIsCoveredAndNothingElse() {
        truncation(Instant.now()).run();
        assertThat(first()).as("nothing is covered").isZero();

        ends.cover(4);
        truncation(Instant.now()).run();

        assertThat(first()).isEqualTo(4);
        truncation(Instant.now()).run();
        assertThat(first()).as("the same cut once more").isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({"3, 0", "4, 4", "5, 4"})
    void shouldWaitForTheSinks(long readBefore, long begin) {
        read.put(log, readBefore);
        ends.cover(4);

        truncation(Instant.now()).run();

        assertThat(first()).isEqualTo(begin);
    }

    @Test
    void shouldCutNothingWhileTheSinksAreNotKnown() {
        read.clear();
        ends.cover(4);

        truncation(Instant.now()).run();

        assertThat(first()).isZero();
    }

    @Test
    void shouldSayHowOldALogIs() {
        truncation(Instant.now()).run();
        assertThat(ends.isLong(() -> RECORDS)).isFalse();

        truncation(Instant.now().plus(Duration.ofHours(25))).run();
        assertThat(ends.isLong(() -> RECORDS)).isTrue();

        ends.cover(RECORDS);
        truncation(Instant.now().plus(Duration.ofHours(25))).run();
        assertThat(first()).isEqualTo(RECORDS);
        assertThat(ends.isLong(() -> 0)).as("an empty log").isFalse();
    }

    private LogTruncation truncation(Instant now) {
        Clock clock = Clock.fixed(now, ZoneOffset.UTC);
        return new LogTruncation(admin, offsets, topic, Duration.ofDays(1), clock, logs -> Map.copyOf(read));
    }

    private long first() {
        return Answers.of(admin.listOffsets(Map.of(log, OffsetSpec.earliest())).partitionResult(log))
                .offset();
    }
}
