package dev.ebb.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.domain.event.Event;
import dev.ebb.faults.LoadDraw.Drawn;
import dev.ebb.serde.records.AvroRecords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Events that come in while things go wrong. A thread of its own sends them at a steady pace from {@link #resume()} to
 * {@link #pause()}, and waits while the broker is away; whatever else is sent goes the same way. Thread-safe.
 */
public final class FaultLoad implements AutoCloseable {

    private static final int PER_SECOND = 250;
    private static final int AT_ONCE = 10;
    private static final int PATIENCE_MS = 600_000;

    private final LoadDraw draw;
    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private volatile boolean isOn;
    private volatile boolean isClosed;
    private final Thread thread = new Thread(this::run, "fault-load");

    FaultLoad(long seed, String bootstrapServers, String topic, AvroRecords records) {
        this.draw = new LoadDraw(seed, records);
        this.topic = topic;
        this.producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "acks",
                        "all",
                        "linger.ms",
                        20,
                        "reconnect.backoff.max.ms",
                        1000,
                        "request.timeout.ms",
                        30_000,
                        "max.block.ms",
                        PATIENCE_MS,
                        "delivery.timeout.ms",
                        PATIENCE_MS),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        thread.setDaemon(true);
        thread.start();
    }

    public void resume() {
        isOn = true;
        LockSupport.unpark(thread);
    }

    /** Sends what ends all work that has begun, and returns when the broker has everything. */
    public synchronized void pause() {
        isOn = false;
        send(draw::finish, Integer.MAX_VALUE);
        producer.flush();
    }

    /** That many events which all fall due at one moment, spread over streams of a namespace. */
    public void due(String namespace, int streams, int events, long dueAtMs) {
        send(() -> draw.due(namespace, streams, dueAtMs), events);
        producer.flush();
    }

    /** That many events that stay for 30 days, spread over streams of a namespace. */
    public List<Event> kept(String namespace, int streams, int events) {
        List<Event> all = new ArrayList<>();
        synchronized (this) {
            for (int i = 0; i < events; i++) {
                Event event = draw.kept(namespace, streams);
                all.add(event);
                send(draw.of(event));
            }
        }
        producer.flush();
        return all;
    }

    /** A record as it is. */
    public void send(ProducerRecord<byte[], byte[]> record) {
        producer.send(record, (metadata, failure) -> {
            if (failure != null) {
                lost.incrementAndGet();
            }
        });
        sent.incrementAndGet();
    }

    /** Records that were sent, of which the broker may not have taken all yet. */
    public long sent() {
        return sent.get();
    }

    /** Records of which it is not known whether the broker has them; they are neither expected nor missed. */
    public long lost() {
        return lost.get();
    }

    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
        producer.close(Duration.ofSeconds(5));
    }

    private void run() {
        while (!isClosed) {
            if (!isOn) {
                LockSupport.park(this);
                continue;
            }
            synchronized (this) {
                if (isOn) {
                    send(draw::next, AT_ONCE);
                }
            }
            LockSupport.parkNanos(1_000_000_000L * AT_ONCE / PER_SECOND);
        }
    }

    private synchronized void send(Supplier<Drawn> source, int limit) {
        for (int i = 0; i < limit; i++) {
            Drawn drawn = source.get();
            if (drawn == null) {
                return;
            }
            send(drawn);
        }
    }

    private void send(Drawn drawn) {
        send(new ProducerRecord<>(topic, drawn.stream().getBytes(UTF_8), drawn.value()));
    }
}
