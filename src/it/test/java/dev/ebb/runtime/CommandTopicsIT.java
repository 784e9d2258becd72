package dev.ebb.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.config.EbbConfig;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.runtime.life.Resources;
import dev.ebb.runtime.writes.KafkaCommandPublisher;
import dev.ebb.runtime.writes.LatestResults;
import dev.ebb.runtime.writes.LatestResultsTest;
import dev.ebb.runtime.writes.ResultsFollower;
import dev.ebb.serde.InMemorySchemaRegistry;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.topology.wire.StreamPartition;
import dev.ebb.topology.wire.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands and results on their way over a real broker. */
@Tag("O-11")
@Timeout(120)
class CommandTopicsIT {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final EbbConfig config = SharedStack.config(Map.of());
    private final Topics topics = TopicPlan.topics(config);
    private final KafkaClients clients = new KafkaClients(config);
    private final AvroRecords records = AvroRecords.of(new InMemorySchemaRegistry());
    private final Resources resources = new Resources();

    @BeforeEach
    void prepare() {
        records.prepare();
        try (Admin admin = clients.admin()) {
            new TopicAdmin(admin, config).create();
        }
    }

    @AfterEach
    void close() {
        resources.close();
        records.close();
    }

    @Test
    void shouldHearOfResultsFromBeforeAndAfterTheStart() {
        // given: the timestamp of a result is that of its command, which is 0
        Producer<byte[], byte[]> producer = resources.add(clients.producer());
        producer.send(record(result("early", State.DONE)));
        producer.flush();
        LatestResults results = new LatestResults(100);
        ResultsFollower follower =
                resources.add(new ResultsFollower(clients::reader, records, results, topics, Clock.systemUTC()));

        // when
        follower.start();

        // then
        assertThat(results.await("early", LONG)).contains(result("early", State.DONE));

        // when
        producer.send(record(result("late", State.RUNNING)));
        producer.send(record(result("late", State.REFUSED)));

        // then
        assertThat(results.await("late", LONG)).contains(result("late", State.REFUSED));
        assertThat(follower.isCaughtUp()).isTrue();
    }

    @Test
    void shouldLeadACommandToThePartitionOfItsStream() {
        // given
        var publisher = resources.add(new KafkaCommandPublisher(clients, config, records, () -> PolicyEdition.NONE));
        StreamName stream = new StreamName("orders/eu-1");
        var request = new CommandRequest("c-1", "anna", "why", false, null, new Command.DeleteStream(stream, true));

        // when
        publisher.send(request);

        // then
        ConsumerRecord<byte[], byte[]> sent = first(StreamPartition.of(stream, topics.partitions()));
        assertThat(sent.key()).asString().isEqualTo("orders/eu-1");
        assertThat(sent.value()).isEqualTo(records.command(request));
    }

    private ConsumerRecord<byte[], byte[]> first(int partition) {
        TopicPartition commands = new TopicPartition(topics.commands(), partition);
        try (Consumer<byte[], byte[]> reader = clients.reader()) {
            reader.assign(List.of(commands));
            long deadline = System.nanoTime() + LONG.toNanos();
            while (System.nanoTime() - deadline < 0) {
                for (ConsumerRecord<byte[], byte[]> record : reader.poll(Duration.ofMillis(200))) {
                    return record;
                }
            }
        }
        throw new AssertionError("there is no command in partition " + partition);
    }

    private ProducerRecord<byte[], byte[]> record(CommandResult result) {
        byte[] key = result.commandId().getBytes(StandardCharsets.UTF_8);
        return new ProducerRecord<>(topics.results(), null, 0L, key, records.result(result));
    }

    private static CommandResult result(String id, State state) {
        return LatestResultsTest.result(id, state, 2);
    }
}
