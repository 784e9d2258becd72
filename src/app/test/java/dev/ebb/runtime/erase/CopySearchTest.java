package dev.ebb.runtime.erase;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.erase.EraseRest.Unread;
import dev.ebb.runtime.erase.CopySearch.Known;
import dev.ebb.topology.observe.Copies;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("T-10")
class CopySearchTest {

    private static final TopicPartition PARTITION = new TopicPartition("ebb.archive", 3);

    private final MockConsumer<byte[], byte[]> log = new MockConsumer<>("earliest");
    private final CopySearch search =
            new CopySearch(PARTITION, (record, isClosed) -> known(record), event -> event.stream()
                    .value()
                    .equals("of42"));
    private long offset;

    /** A record says {@code stream id}; any other text is no copy. */
    private static @Nullable Known known(ConsumerRecord<byte[], byte[]> record) {
        String[] parts = new String(record.value(), StandardCharsets.UTF_8).split(" ", -1);
        if (parts[0].equals("damaged")) {
            throw new CopySearch.Damaged("damaged", null);
        }
        return parts.length == 2
                ? new Known(Copies.Kind.ARCHIVE, event(parts[0], parts[1]).build(), 7, null)
                : null;
    }

    @Test
    void shouldFindCopiesThatAreMeantAndStillThere() {
        // given
        begin();
        add("of42\na\n7", "of42 a");
        add("of42\nb\n7", "of42 b");
        add("other\nc\n7", "other c");
        add("x", "no copy");
        add("of42\na\n7", null);
        end();

        // when
        search.run(() -> log);

        // then
        assertThat(search.isDone()).isFalse();
        assertThat(taken()).containsExactly("of42\nb\n7");
        assertThat(search.isDone()).isTrue();
        assertThat(search.problem()).isNull();
    }

    @Test
    void shouldGoOnBehindCopiesThatAreDamaged() {
        // given one that is taken away later, and one that stays
        begin();
        add("of42\na\n7", "damaged");
        add("of42\nb\n7", "damaged");
        add("of42\nc\n7", "of42 c");
        add("of42\na\n7", null);
        end();

        // when
        search.run(() -> log);

        // then
        assertThat(search.problem()).isNull();
        assertThat(taken()).containsExactly("of42\nc\n7");
        assertThat(search.unread())
                .containsExactly(new Unread(PARTITION.topic(), PARTITION.partition(), 1, List.of(1L)));
    }

    /** Nothing takes its copies any more once its task has ended: the thread and its consumer would wait for ever. */
    @Test
    @Timeout(60)
    void shouldEndWhereItWaitsForRoom() throws InterruptedException {
        // given
        begin();
        for (int i = 0; i <= CopySearch.MOST_KNOWN; i++) {
            add("of42\n" + i + "\n7", "of42 " + i);
        }
        end();
        Thread reader = new Thread(() -> search.run(() -> log));
        reader.start();
        while (reader.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }

        // when
        search.close();
        reader.join();

        // then
        assertThat(log.closed()).isTrue();
        assertThat(search.problem()).isNull();
    }

    @Test
    void shouldSayWhyItCannotRead() {
        // given
        begin();
        end();
        log.setPollException(new TopicAuthorizationException("no rights"));
        add("of42\na\n7", "of42 a");
        end();

        // when
        search.run(() -> log);

        // then
        assertThat(search.problem()).contains("ebb.archive-3", "no rights");
        assertThat(search.isDone()).isFalse();
    }

    private void begin() {
        log.assign(List.of(PARTITION));
        log.updateBeginningOffsets(Map.of(PARTITION, 0L));
    }

    private void end() {
        log.updateEndOffsets(Map.of(PARTITION, offset));
    }

    private void add(String key, @Nullable String value) {
        byte[] bytes = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
        log.addRecord(new ConsumerRecord<>(
                PARTITION.topic(), PARTITION.partition(), offset++, key.getBytes(StandardCharsets.UTF_8), bytes));
    }

    private List<String> taken() {
        return search.take(10).stream()
                .map(copy -> new String(copy.key(), StandardCharsets.UTF_8))
                .toList();
    }
}
