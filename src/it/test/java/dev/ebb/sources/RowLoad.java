package dev.ebb.sources;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A producer of another application, which writes versions of the rows of all topics; more of them overtake each other. */
final class RowLoad implements AutoCloseable {

    static final String VERSION = "version";
    static final String KIND = "kind";
    static final String HELD = "held";

    private static final int CUSTOMERS = 40;
    private static final long LONG_AGO_MS = Duration.ofDays(90).toMillis();

    private final KafkaProducer<byte[], byte[]> producer;
    private final Random random;
    private final AtomicLong versions;
    private final int rows;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final Thread thread;

    /**
     * Begins to write.
     *
     * @param rows the rows of each topic
     * @param versions the last version of all producers
     * @param records the records for each topic
     * @param time the time over which they are spread
     */
    RowLoad(String bootstrapServers, long seed, int rows, AtomicLong versions, long records, Duration time) {
        this.random = new Random(seed);
        this.versions = versions;
        this.rows = rows;
        this.producer = new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                        ProducerConfig.LINGER_MS_CONFIG, 10,
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 600_000,
                        ProducerConfig.MAX_BLOCK_MS_CONFIG, 600_000),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        this.thread = new Thread(() -> run(records, time.toNanos()), "rows-" + seed);
        thread.setDaemon(true);
        thread.start();
    }

    private void run(long records, long nanos) {
        long begin = System.nanoTime();
        for (long sent = 0; sent < records && failure.get() == null; sent++) {
            for (RowFormat format : RowFormat.values()) {
                send(format);
            }
            long ahead = (long) ((double) nanos / records * sent) - (System.nanoTime() - begin);
            if (ahead > TimeUnit.MILLISECONDS.toNanos(5)) {
                LockSupport.parkNanos(ahead);
            }
        }
        producer.flush();
    }

    private void send(RowFormat format) {
        int row = random.nextInt(rows);
        RowKind kind = kind(random.nextInt(1000));
        long version = versions.incrementAndGet();
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(format.topic(), format.key(row), value(format, row, kind, version));
        record.headers().add(VERSION, Long.toString(version).getBytes(UTF_8));
        record.headers().add(KIND, kind.name().getBytes(UTF_8));
        producer.send(record, (sent, problem) -> {
            if (problem != null) {
                failure.compareAndSet(null, problem);
            }
        });
    }

    private static RowKind kind(int draw) {
        if (draw < 450) {
            return RowKind.DUE;
        } else if (draw < 750) {
            return RowKind.OPEN;
        } else if (draw < 850) {
            return RowKind.YOUNG;
        } else if (draw < 900) {
            return RowKind.HELD;
        }
        return draw < 999 ? RowKind.DELETED : RowKind.HOSTILE;
    }

    private byte @Nullable [] value(RowFormat format, int row, RowKind kind, long version) {
        String customer = kind == RowKind.HELD ? HELD : "c" + random.nextInt(CUSTOMERS);
        String state = kind == RowKind.OPEN ? "NEW" : "DONE";
        long now = System.currentTimeMillis();
        return switch (kind) {
            case DELETED -> null;
            case HOSTILE -> format.hostile(version);
            default -> format.value(row, customer, state, kind == RowKind.YOUNG ? now : now - LONG_AGO_MS, version);
        };
    }

    /** Returns when all is written. */
    void await() throws Exception {
        thread.join();
        Exception problem = failure.get();
        if (problem != null) {
            throw problem;
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(1));
    }
}
