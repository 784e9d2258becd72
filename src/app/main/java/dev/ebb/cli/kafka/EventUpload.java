package dev.ebb.cli.kafka;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.serde.lines.EventLines;
import dev.ebb.serde.lines.Line;
import dev.ebb.serde.records.AvroRecords;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * Sends the lines of a file to the topic of events, in their order. A line of which no record can be made, or that is
 * too big for the broker, is reported and the rest goes on. One thread calls {@link #send}; any may ask how far it is.
 */
public final class EventUpload {

    private final Producer<byte[], byte[]> producer;
    private final AvroRecords records;
    private final String topic;
    private final Consumer<Line.Unreadable> unreadable;
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong unreadableLines = new AtomicLong();
    private final AtomicReference<@Nullable KafkaException> failure = new AtomicReference<>();

    /**
     * The producer stays open.
     *
     * @param records prepared to write
     * @param unreadable hears of each line that is not sent
     */
    public EventUpload(
            Producer<byte[], byte[]> producer,
            AvroRecords records,
            String topic,
            Consumer<Line.Unreadable> unreadable) {
        this.producer = producer;
        this.records = records;
        this.topic = topic;
        this.unreadable = unreadable;
    }

    /**
     * Sends all lines and returns when the broker has acknowledged them.
     *
     * @throws KafkaException if the broker does not take them; some may have been taken
     * @throws UncheckedIOException if a line cannot be read; those before it have been sent, none after it
     */
    public void send(EventLines lines) {
        try {
            while (lines.hasNext() && failure.get() == null) {
                send(lines.next());
            }
        } finally {
            // Also what comes before a place that cannot be read: its sender is told how much was sent.
            producer.flush();
        }
        KafkaException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    /** Sends the event without waiting for the broker. A record that it does not take is only missing in the count. */
    public void send(Event event) {
        send(event.stream(), records.event(event));
    }

    /** Sends the update without waiting for the broker. */
    public void send(EventUpdate update) {
        send(update.stream(), records.update(update));
    }

    /** Number of records that the broker has acknowledged. */
    public long acknowledged() {
        return acknowledged.get();
    }

    /** Number of lines that were not sent. */
    public long unreadableLines() {
        return unreadableLines.get();
    }

    private void send(StreamName stream, byte[] value) {
        byte[] key = stream.value().getBytes(StandardCharsets.UTF_8);
        var unused = producer.send(new ProducerRecord<>(topic, key, value), (metadata, e) -> {
            if (e == null) {
                acknowledged.incrementAndGet();
            }
        });
    }

    private void send(Line line) {
        if (line instanceof Line.Ready ready) {
            byte[] key = ready.key().getBytes(StandardCharsets.UTF_8);
            var record = new ProducerRecord<>(topic, key, records.encode(ready.record()));
            var unused = producer.send(record, (metadata, e) -> finished(ready, e));
        } else {
            report((Line.Unreadable) line);
        }
    }

    private void finished(Line.Ready line, @Nullable Exception e) {
        if (e == null) {
            acknowledged.incrementAndGet();
        } else if (e instanceof RecordTooLargeException) {
            report(new Line.Unreadable(line.number(), "it is bigger than the broker takes"));
        } else {
            failure.compareAndSet(null, e instanceof KafkaException known ? known : new KafkaException(e));
        }
    }

    /** Called by the thread that reads and by the one of the producer. */
    private synchronized void report(Line.Unreadable line) {
        unreadableLines.incrementAndGet();
        unreadable.accept(line);
    }
}
