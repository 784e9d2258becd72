package dev.ebb.bench.stack;

import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.EventGenerator;
import dev.ebb.domain.event.Event;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Writes events to the input of a lane. */
public final class EventSender {

    /** The key of Ebb: all events of a stream in one partition, in order. */
    public static final Function<Event, String> BY_STREAM =
            event -> event.stream().value();

    /** The key of a table: a later record replaces an earlier one with the same key. */
    public static final Function<Event, String> BY_IDENTITY =
            event -> event.stream().value() + '\0' + event.id().value();

    private final Lane lane;
    private final Function<Event, String> keyOf;

    public EventSender(Lane lane, Function<Event, String> keyOf) {
        this.lane = lane;
        this.keyOf = keyOf;
    }

    /** Sends all events; returns the offset of the last one in each partition, -1 where there is none. */
    public long[] send(Iterator<EventGenerator.Timed> events) {
        var sent = new Sent(lane.partitions());
        try (Producer<byte[], byte[]> producer = lane.clients().producer()) {
            events.forEachRemaining(next -> {
                var unused = producer.send(record(next), sent::acknowledged);
            });
        }
        return sent.lastOffsets();
    }

    public ProducerRecord<byte[], byte[]> record(EventGenerator.Timed next) {
        byte[] key = keyOf.apply(next.event()).getBytes(StandardCharsets.UTF_8);
        byte[] value = lane.records().event(next.event());
        return new ProducerRecord<>(lane.topics().events(), null, next.timestampMs(), key, value);
    }

    /** Records that the broker has taken. */
    private static final class Sent {

        private final AtomicLongArray lastOffsets;
        private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

        Sent(int partitions) {
            lastOffsets = new AtomicLongArray(partitions);
            IntStream.range(0, partitions).forEach(partition -> lastOffsets.set(partition, -1));
        }

        void acknowledged(RecordMetadata metadata, @Nullable Exception exception) {
            if (exception != null) {
                failure.compareAndSet(null, exception);
            } else {
                lastOffsets.accumulateAndGet(metadata.partition(), metadata.offset(), Math::max);
            }
        }

        long[] lastOffsets() {
            Exception first = failure.get();
            if (first != null) {
                throw new VoidRunException("the input cannot be sent: " + first.getMessage(), first);
            }
            return IntStream.range(0, lastOffsets.length())
                    .mapToLong(lastOffsets::get)
                    .toArray();
        }
    }
}
