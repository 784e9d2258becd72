package dev.ebb.cli.kafka;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.Rejection;
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
 * Sends the lines of a file to the events topic, in order. A line that makes no record, or is too big for the broker,
 * is reported, and the rest goes on. So is one that Ebb will reject; it is sent nevertheless, since Ebb may be of another
 * version, keeps what it rejects, and judges times by its own clock. One thread calls {@link #send}; any thread may ask for the progress.
 */
public final class EventUpload {

    private final Producer<byte[], byte[]> producer;
    private final AvroRecords records;
    private final String topic;
    private final Consumer<Line.Unreadable> faults;
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong unreadableLines = new AtomicLong();
    private long rejectedLines;
    private final AtomicReference<@Nullable KafkaException> failure = new AtomicReference<>();

    /**
     * Makes an upload, which does not close the producer.
     *
     * @param records the writer of records, ready to write
     * @param faults takes each line that is not sent, or will be rejected
     */
    public EventUpload(
            Producer<byte[], byte[]> producer, AvroRecords records, String topic, Consumer<Line.Unreadable> faults) {
        this.producer = producer;
        this.records = records;
        this.topic = topic;
        this.faults = faults;
    }

    /**
     * Sends all lines, and returns when the broker has acknowledged them.
     *
     * @throws KafkaException if the broker does not take the records; it may have taken some
     * @throws UncheckedIOException if a line cannot be read; all lines before it have been sent, and none after it
     */
    public void send(EventLines lines) {
        try {
            while (lines.hasNext() && failure.get() == null) {
                send(lines.next());
            }
        } finally {
            // Flushes also after a line that cannot be read: the message says how many records were sent.
            producer.flush();
        }
        KafkaException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    /**
     * Sends the event without waiting for the broker. A record that the broker does not take is only missing from the
     * count.
     */
    public void send(Event event) {
        send(event.stream(), records.event(event));
    }

    /** Sends the update without waiting for the broker. */
    public void send(EventUpdate update) {
        send(update.stream(), records.update(update));
    }

    /** Returns the number of records that the broker has acknowledged. */
    public long acknowledged() {
        return acknowledged.get();
    }

    /** Returns the number of lines that were not sent. */
    public long unreadableLines() {
        return unreadableLines.get();
    }

    /** Returns the number of lines that were sent and will be rejected. */
    public long rejectedLines() {
        return rejectedLines;
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
            foretell(ready);
        } else {
            report((Line.Unreadable) line);
        }
    }

    private void foretell(Line.Ready line) {
        Rejection rejection = line.rejection(System.currentTimeMillis());
        if (rejection != null) {
            rejectedLines++;
            tell(new Line.Unreadable(
                    line.number(), rejection.reason() + ", Ebb will reject it: " + rejection.detail()));
        }
    }

    private void finished(Line.Ready line, @Nullable Exception e) {
        if (e == null) {
            acknowledged.incrementAndGet();
        } else if (e instanceof RecordTooLargeException) {
            report(new Line.Unreadable(line.number(), "it is bigger than the broker accepts"));
        } else {
            failure.compareAndSet(null, e instanceof KafkaException known ? known : new KafkaException(e));
        }
    }

    /** Reports a line; called by the reading thread and by that of the producer. */
    private void report(Line.Unreadable line) {
        unreadableLines.incrementAndGet();
        tell(line);
    }

    private synchronized void tell(Line.Unreadable line) {
        faults.accept(line);
    }
}
