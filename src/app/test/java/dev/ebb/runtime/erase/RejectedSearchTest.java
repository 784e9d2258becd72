package dev.ebb.runtime.erase;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.erase.EraseRest.Rejected;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.Wait;
import dev.ebb.serde.records.Decoded;
import dev.ebb.serde.records.DecodedCommand;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.serde.records.DecodedResult;
import dev.ebb.serde.records.RecordOrigin;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.Topics;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rejected records hold personal data like any others: an erasure says how many match. */
@Tag("T-10")
class RejectedSearchTest {

    private static final TopicPartition PARTITION = new TopicPartition("ebb.rejected", 3);

    private final MockConsumer<byte[], byte[]> log = new MockConsumer<>("earliest");
    private final Reader reader = new Reader();
    private final RejectedSearch search =
            new RejectedSearch(PARTITION, new Topics("ebb.", 4), reader, new User42(), () -> reader.asked++);
    private long offset;

    @BeforeEach
    void begin() {
        log.assign(List.of(PARTITION));
        log.updateBeginningOffsets(Map.of(PARTITION, 0L));
    }

    @Test
    void shouldCountRejectedRecordsThatMatch() {
        // given
        add("orders/1", "event 42");
        add("orders/1", "event 421");
        add("orders/2", "update 42");
        add("orders/2", "update -");
        add("orders/3", "execution");
        add("bills/1", "event 42");
        end();

        // when
        search.run(() -> log);

        // then
        assertThat(search.isDone()).isTrue();
        assertThat(search.found()).containsExactly(new Rejected("ebb.rejected", 3, 2, List.of(0L, 2L), 0));
    }

    /** Records are rejected because they cannot be used, so many of them cannot be read either. */
    @Test
    void shouldCountRecordsThatCannotBeReadApart() {
        // given
        add("orders/1", "damaged");
        add("bills/1", "damaged");
        add(null, "damaged");
        add("orders/1", null);
        end();

        // when
        search.run(() -> log);

        // then
        assertThat(search.found()).containsExactly(new Rejected("ebb.rejected", 3, 0, List.of(), 2));
    }

    @Test
    void shouldPassOverPoliciesAndCommands() {
        // given
        add("ebb.policies", "orders/1", "event 42");
        add("ebb.commands", "orders/1", "damaged");
        add("ebb.rekey", "orders/1", "event 42");
        end();

        // when
        search.run(() -> log);

        // then
        assertThat(search.found()).containsExactly(new Rejected("ebb.rejected", 3, 1, List.of(2L), 0));
    }

    @Test
    void shouldWaitForASchemaAndNeverForOneThatCannotBeHad() {
        // given
        reader.answersAfter = 3;
        add("orders/1", "schema 42");
        add("orders/1", "unusable 42");
        end();

        // when
        search.run(() -> log);

        // then
        assertThat(reader.asked).isEqualTo(3);
        assertThat(search.found()).containsExactly(new Rejected("ebb.rejected", 3, 1, List.of(0L), 1));
    }

    /** Rejected records stay whatever the search finds, so a registry that is away must not hold up an erasure. */
    @Test
    void shouldAskNoLongerThanARegistryMayTake() {
        // given
        reader.answersAfter = Integer.MAX_VALUE;
        add("orders/1", "schema 42");
        add("orders/1", "schema 42");
        end();

        // when
        search.run(() -> log);

        // then
        assertThat(reader.asked).isEqualTo(400);
        assertThat(search.found()).containsExactly(new Rejected("ebb.rejected", 3, 0, List.of(), 2));
    }

    /** A registry that is away answers for no schema, and a record with forged bytes may name any. */
    @Test
    void shouldNotWaitForEachSchemaOfARegistryThatIsAway() {
        // given
        for (int schema = 1; schema <= 9; schema++) {
            add("orders/1", "lost " + schema);
        }
        end();

        // when
        search.run(() -> log);

        // then
        assertThat(reader.asked).isEqualTo(3 * 400);
        assertThat(search.found()).containsExactly(new Rejected("ebb.rejected", 3, 0, List.of(), 9));
    }

    /** A schema that never comes must not use up the tries of the others. */
    @Test
    void shouldAskForEachSchemaAsLongAsARegistryMayTake() {
        // given
        reader.answersAfter = 401;
        add("orders/1", "never 42");
        add("orders/1", "schema 42");
        end();

        // when
        search.run(() -> log);

        // then
        assertThat(search.found()).containsExactly(new Rejected("ebb.rejected", 3, 1, List.of(1L), 1));
    }

    @Test
    void shouldSayWhyItCannotRead() {
        // given
        add("orders/1", "event 42");
        end();
        log.setPollException(new TopicAuthorizationException("no rights"));

        // when
        search.run(() -> log);

        // then
        assertThat(search.problem()).contains("ebb.rejected-3", "no rights");
        assertThat(search.isDone()).isFalse();
        assertThat(search.found()).isEmpty();
    }

    private void end() {
        log.updateEndOffsets(Map.of(PARTITION, offset));
    }

    private void add(@Nullable String key, @Nullable String value) {
        add("ebb.events", key, value);
    }

    private void add(String from, @Nullable String key, @Nullable String value) {
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.REJECTED_TOPIC, from);
        log.addRecord(new ConsumerRecord<>(
                PARTITION.topic(),
                PARTITION.partition(),
                offset++,
                0,
                TimestampType.CREATE_TIME,
                0,
                0,
                key == null ? null : key.getBytes(StandardCharsets.UTF_8),
                value == null ? null : value.getBytes(StandardCharsets.UTF_8),
                headers,
                Optional.empty()));
    }

    /** Means user 42 in the namespace orders. */
    private static final class User42 implements Copies.Wanted {

        @Override
        public boolean isMeant(Event event) {
            return "42".equals(event.metadata().get("user"))
                    && mayBeMeant(event.stream().value());
        }

        @Override
        public boolean mayBeMeant(String key) {
            return key.isEmpty() || key.startsWith("orders/");
        }
    }

    /** Reads records that say what they are. */
    private static final class Reader implements RecordReader {

        int asked;
        int answersAfter;

        @Override
        public Decoded read(RecordOrigin origin, Headers headers, byte @Nullable [] value) {
            String key = origin.key() == null ? "" : new String(origin.key(), StandardCharsets.UTF_8);
            String[] words = new String(value, StandardCharsets.UTF_8).split(" ", -1);
            return switch (words[0]) {
                case "event" -> of(key, words[1]);
                case "update" ->
                    new Decoded.OfUpdate(new EventUpdate(
                            new StreamName(key),
                            new EventId("a"),
                            null,
                            null,
                            null,
                            words[1].equals("-") ? null : Map.of("user", words[1])));
                case "execution" -> new Decoded.OfExecution(null);
                case "schema" -> asked < answersAfter ? new Decoded.Pending(Wait.of("schema 7")) : of(key, words[1]);
                case "never" -> new Decoded.Pending(Wait.of("schema 6"));
                case "lost" -> new Decoded.Pending(Wait.of("lost " + words[1]));
                case "unusable" ->
                    new Decoded.Pending(Wait.of("schema 8").because(Wait.Kind.SCHEMA_UNUSABLE, "it is not there"));
                default -> new Decoded.Bad(new Rejection(RejectReason.UNDECODABLE, "damaged"));
            };
        }

        private static Decoded of(String stream, String user) {
            return new Decoded.OfEvent(
                    event(stream, "a").metadata(Map.of("user", user)).build());
        }

        @Override
        public Decoded read(String topic, Headers headers, byte @Nullable [] value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public DecodedPolicy readPolicy(String key, byte[] value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public DecodedCommand readCommand(String topic, Headers headers, byte @Nullable [] value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public DecodedResult readResult(byte[] value) {
            throw new UnsupportedOperationException();
        }
    }
}
