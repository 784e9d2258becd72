package dev.ebb.runtime.erase;

import dev.ebb.domain.erase.EraseRest.Rejected;
import dev.ebb.domain.erase.EraseRest.Unread;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.Wait;
import dev.ebb.runtime.kafka.PartitionReading;
import dev.ebb.serde.records.Decoded;
import dev.ebb.serde.records.RecordOrigin;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.Topics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Counts the rejected records of one partition that an erasure means: events and changes to events that match, and
 * records that cannot be read. They are only counted, since records of that topic have no keys of their own by which a
 * tombstone could reach them. Executions have no content.
 */
final class RejectedSearch extends PartitionReading {

    /** Number of times that the search asks for a schema, which together take longer than a registry may. */
    private static final int MOST_TRIES = 400;

    /** Number of schemas for which the search waits in vain; then it waits for no other, since the registry is away. */
    private static final int MOST_IN_VAIN = 3;

    private final TopicPartition partition;
    private final Set<String> topics;
    private final RecordReader reader;
    private final Copies.Wanted wanted;
    private final Runnable pause;
    private final List<Long> offsets = new ArrayList<>();

    /** Number of questions for each schema that has not come. */
    private final Map<String, Integer> tries = new HashMap<>();

    private int inVain;

    private long matching;
    private long unread;
    private boolean isRead;

    /** @param pause waits between two questions for a schema */
    RejectedSearch(TopicPartition partition, Topics topics, RecordReader reader, Copies.Wanted wanted, Runnable pause) {
        super("erase", partition);
        this.partition = partition;
        this.topics = Set.of(topics.events(), topics.rekey());
        this.reader = reader;
        this.wanted = wanted;
        this.pause = pause;
    }

    @Override
    protected void read(Consumer<byte[], byte[]> log) throws InterruptedException {
        boolean isWhole = scan(log, end(log), this::look);
        end(isWhole);
    }

    private void look(ConsumerRecord<byte[], byte[]> record) {
        String from = text(record.headers().lastHeader(EbbHeaders.REJECTED_TOPIC));
        byte[] value = record.value();
        if (value == null || !topics.contains(from)) {
            return;
        }
        RecordOrigin origin = new RecordOrigin(
                from,
                (int) EbbHeaders.number(record.headers(), EbbHeaders.REJECTED_PARTITION, -1),
                EbbHeaders.number(record.headers(), EbbHeaders.REJECTED_OFFSET, 0),
                record.key());
        Decoded decoded = decoded(origin, record);
        if (decoded instanceof Decoded.OfEvent event) {
            note(wanted.isMeant(event.event()), record.offset());
        } else if (decoded instanceof Decoded.OfUpdate update) {
            note(wanted.isMeant(asEvent(update.update())), record.offset());
        } else if (!(decoded instanceof Decoded.OfExecution) && wanted.mayBeMeant(key(record))) {
            noteUnread();
        }
    }

    /** Reads the record; waits while a question to the registry is under way. */
    private Decoded decoded(RecordOrigin origin, ConsumerRecord<byte[], byte[]> record) {
        while (true) {
            Decoded decoded = reader.read(origin, record.headers(), record.value());
            String schema = decoded instanceof Decoded.Pending pending
                            && pending.waitsFor().kind() == Wait.Kind.SCHEMA
                    ? pending.waitsFor().what()
                    : null;
            if (schema == null || isClosed() || !mayAsk(schema)) {
                return decoded;
            }
            pause.run();
        }
    }

    private boolean mayAsk(String schema) {
        int asked = tries.getOrDefault(schema, 0);
        if (asked >= MOST_TRIES || inVain >= MOST_IN_VAIN) {
            return false;
        }
        tries.put(schema, asked + 1);
        inVain += asked + 1 == MOST_TRIES ? 1 : 0;
        return true;
    }

    /** Returns the texts of a change as an event, for the conditions. */
    private static Event asEvent(EventUpdate update) {
        return new Event(
                update.stream(),
                update.id(),
                "",
                update.status(),
                null,
                null,
                OwnTtl.NONE,
                0,
                null,
                Objects.requireNonNullElse(update.metadata(), Map.of()),
                null,
                new byte[0]);
    }

    private static String key(ConsumerRecord<byte[], byte[]> record) {
        return record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
    }

    private static String text(@Nullable Header header) {
        return header == null || header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }

    private synchronized void note(boolean isMeant, long offset) {
        if (isMeant) {
            matching++;
            if (offsets.size() < Unread.MOST_OFFSETS) {
                offsets.add(offset);
            }
        }
    }

    private synchronized void noteUnread() {
        unread++;
    }

    private synchronized void end(boolean isWhole) {
        isRead = isWhole;
    }

    /** Returns true if all has been read. */
    synchronized boolean isDone() {
        return isRead;
    }

    /** Returns the records that were found; none before the end. */
    synchronized List<Rejected> found() {
        return !isRead || matching + unread == 0
                ? List.of()
                : List.of(new Rejected(partition.topic(), partition.partition(), matching, offsets, unread));
    }
}
