package dev.ebb.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.topology.wire.Topics;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Draws unusable records, around every limit of size and far beyond it, in every compression, for each topic that is
 * read, and remembers the places of records that must be found on the rejected topic. Not thread-safe.
 */
public final class HostileRecords implements AutoCloseable {

    private static final List<String> COMPRESSIONS = List.of("none", "gzip", "snappy", "lz4", "zstd");

    /** In the streams of the good events, and beside them. */
    private static final int STREAMS = 5;

    /** Bytes that the topics allow to records beyond {@code record.max.bytes}. */
    private static final int FRAME = 64 * 1024;

    private static final int MOST_REQUEST_BYTES = 1 << 30;

    /** Enough for the biggest record of all, which a producer lays out before it is compressed. */
    private static final long BUFFER_BYTES = 160L << 20;

    /** Less than a broker takes in a request, since it answers nothing to one that is bigger. */
    private static final long BUFFER_BYTES_UNCOMPRESSED = 64L << 20;

    private final Random random;
    private final Topics topics;
    private final AvroRecords records;
    private final int recordMaxBytes;
    private final boolean isWithoutJson;
    private final Map<String, KafkaProducer<byte[], byte[]>> producers = new HashMap<>();
    private final List<Future<RecordMetadata>> sent = new ArrayList<>();
    private final Set<String> expected = new TreeSet<>();
    private int unsendable;
    private boolean isRekeySpared;

    /** @param config of the application that gets them */
    public HostileRecords(Random random, EbbConfig config, Topics topics, AvroRecords records) {
        this.random = random;
        this.topics = topics;
        this.records = records;
        this.recordMaxBytes = config.get(Settings.RECORD_MAX_BYTES);
        this.isWithoutJson = config.get(Settings.MIRROR_JSON).equals("off");
        String bootstrapServers = config.get(Settings.BOOTSTRAP_SERVERS);
        for (String compression : COMPRESSIONS) {
            producers.put(compression, producer(bootstrapServers, compression));
        }
    }

    private static KafkaProducer<byte[], byte[]> producer(String servers, String compression) {
        return new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        servers,
                        "compression.type",
                        compression,
                        "max.request.size",
                        MOST_REQUEST_BYTES,
                        "buffer.memory",
                        compression.equals("none") ? BUFFER_BYTES_UNCOMPRESSED : BUFFER_BYTES),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** The name of a stream under which good and bad records come. */
    public static String stream(int number) {
        return "hostile/" + number % STREAMS;
    }

    /** Nothing goes to the topic of re-keyed records: an oracle takes what is set aside of them for records of producers. */
    public HostileRecords sparingRekey() {
        isRekeySpared = true;
        return this;
    }

    /** Topics of which the records that cannot be used are set aside; the others are the application's own. */
    private List<String> settingAside() {
        List<String> others = List.of(topics.events(), topics.commands(), topics.policies(), topics.assessments());
        return isRekeySpared || random.nextInt(others.size() + 1) > 0 ? others : List.of(topics.rekey());
    }

    private List<String> readOnly() {
        return List.of(topics.policiesAccepted(), topics.results(), topics.clock());
    }

    /** Sends so many, one after the other. */
    public void send(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            if (random.nextInt(6) == 0) {
                send(new ProducerRecord<>(any(readOnly()), key(), value()), anyCompression(), false);
            } else if (random.nextInt(6) == 0) {
                sendGrowing();
            } else {
                send(garbage(any(settingAside())), anyCompression(), true);
            }
        }
        awaitSent();
    }

    /** Sends so many of a size at once, of which hardly anything is left when they are compressed. */
    public void sendBomb(String topic, int count, int valueBytes) throws InterruptedException {
        byte[] value = new byte[valueBytes];
        Arrays.fill(value, (byte) 7);
        for (int i = 0; i < count; i++) {
            send(new ProducerRecord<>(topic, stream(i).getBytes(UTF_8), value), "zstd", true);
        }
        awaitSent();
    }

    /** Such that the rejected topic would just take them whole. */
    public int biggestRejectedBytes() {
        return 2 * recordMaxBytes + FRAME - 4096;
    }

    /** Records that can be read, and that grow on their way out. */
    private void sendGrowing() {
        byte[] stream = stream(random.nextInt(STREAMS)).getBytes(UTF_8);
        if (random.nextBoolean()) {
            // Six bytes for each in a row of JSON, one in a compact row, which therefore fits.
            int most = recordMaxBytes - 2048;
            String status = "\u0001".repeat(recordMaxBytes / 6 + random.nextInt(most - recordMaxBytes / 6));
            byte[] update = records.execution(new ExecutionUpdate(
                    new StreamName(new String(stream, UTF_8)), 1 + random.nextInt(3), status, null, null, null));
            send(new ProducerRecord<>(topics.events(), stream, update), anyCompression(), !isWithoutJson);
        } else {
            // Full before it gets the key of its stream.
            byte[] command = records.command(new CommandRequest(
                    "hostile-" + random.nextLong(),
                    "eva",
                    "",
                    true,
                    null,
                    new Command.DeleteStream(new StreamName("none/" + "n".repeat(200)), false)));
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topics.commands(), null, command);
            record.headers().add("h", new byte[recordMaxBytes + 32 * 1024 - command.length - 11]);
            send(record, anyCompression(), true);
        }
    }

    private ProducerRecord<byte[], byte[]> garbage(String topic) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, key(), value());
        switch (random.nextInt(6)) {
            case 0 -> record.headers().add("big", new byte[size()]);
            case 1 -> record.headers().add("n".repeat(1 + size() / 4), null);
            case 2 -> addMany(record, 1 + random.nextInt(50_000));
            case 3 ->
                record.headers()
                        .add("ebb-left-out", (random.nextInt() + " " + "f".repeat(64)).getBytes(UTF_8))
                        // Longer than any may be, or it would wait a minute for the rest of its file.
                        .add("ebb-apply-id", "a".repeat(256 + size() / 8).getBytes(UTF_8))
                        .add("ebb-apply-count", "99999999999".getBytes(UTF_8));
            default -> {}
        }
        return record;
    }

    private static void addMany(ProducerRecord<byte[], byte[]> record, int count) {
        for (int i = 0; i < count; i++) {
            record.headers().add("h" + i % 100, i % 3 == 0 ? null : new byte[i % 7]);
        }
    }

    private byte[] key() {
        return switch (random.nextInt(7)) {
            case 0 -> null;
            case 1 -> new byte[0];
            case 2 -> random(1 + random.nextInt(300));
            case 3 -> filled(size());
            case 4 -> "namespace:none".getBytes(UTF_8);
            default -> stream(random.nextInt(STREAMS)).getBytes(UTF_8);
        };
    }

    /** Draws formats that no reader knows, so that no record can be of use by chance. */
    private byte[] value() {
        byte[] value =
                switch (random.nextInt(4)) {
                    case 0 -> random(1 + random.nextInt(2000));
                    case 1 -> ("{\"x\":\"" + "y".repeat(size() / 2) + "\"}").getBytes(UTF_8);
                    case 2 -> random.nextInt(10) == 0 ? filled(recordMaxBytes * 100) : filled(size());
                    default -> filled(size());
                };
        value[0] = 9;
        return value;
    }

    /** One less than a limit, as much, one more, or three times as much; and anything in between. */
    private int size() {
        int limit = any(List.of(
                255,
                1024,
                16 * 1024,
                recordMaxBytes - 1024,
                recordMaxBytes,
                recordMaxBytes + FRAME / 2,
                recordMaxBytes + FRAME,
                2 * recordMaxBytes + FRAME));
        return switch (random.nextInt(6)) {
            case 0 -> limit - 1;
            case 1 -> limit;
            case 2 -> limit + 1;
            case 3 -> 3 * limit;
            case 4 -> limit - random.nextInt(200);
            default -> 1 + random.nextInt(2 * limit);
        };
    }

    private static byte[] filled(int bytes) {
        return ByteBuffer.allocate(Math.max(1, bytes)).array();
    }

    private byte[] random(int bytes) {
        byte[] all = new byte[bytes];
        random.nextBytes(all);
        return all;
    }

    private String anyCompression() {
        return any(COMPRESSIONS);
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private void send(ProducerRecord<byte[], byte[]> record, String compression, boolean isSetAside) {
        Future<RecordMetadata> answer = producers.get(compression).send(record);
        if (isSetAside) {
            sent.add(answer);
        }
    }

    private void awaitSent() throws InterruptedException {
        producers.values().forEach(KafkaProducer::flush);
        for (Future<RecordMetadata> one : sent) {
            try {
                RecordMetadata at = one.get();
                expected.add(coordinates(at.topic(), at.partition(), at.offset()));
            } catch (ExecutionException e) {
                // A record that the broker refuses as well has reached no reader.
                if (!isRefusal(e.getCause())) {
                    throw new AssertionError(e);
                }
                unsendable++;
            }
        }
        sent.clear();
    }

    /** Returns true if the broker takes no such record, or did not take another one of its batch. */
    private static boolean isRefusal(Throwable cause) {
        return cause instanceof RecordTooLargeException
                || cause instanceof InvalidRecordException
                || String.valueOf(cause.getMessage()).contains("part of a batch");
    }

    /** Number of records that must be found on the rejected topic. */
    public int expected() {
        return expected.size();
    }

    /** Number of records that the broker refused. */
    public int unsendable() {
        return unsendable;
    }

    /** Faults of the rejected topic; empty if it tells of each record once. */
    public String missing(List<ConsumerRecord<byte[], byte[]>> rejected) {
        Set<String> missing = new TreeSet<>(expected);
        Map<String, Integer> found = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : rejected) {
            String at = coordinates(
                    text(record, "ebb-rejected-topic"),
                    Integer.parseInt(text(record, "ebb-rejected-partition")),
                    Long.parseLong(text(record, "ebb-rejected-offset")));
            missing.remove(at);
            found.merge(at, 1, Integer::sum);
        }
        List<String> twice = found.entrySet().stream()
                .filter(entry -> entry.getValue() > 1)
                .map(Map.Entry::getKey)
                .toList();
        return missing.isEmpty() && twice.isEmpty()
                ? ""
                : missing.size() + " of " + expected.size() + " are not set aside, such as "
                        + missing.stream().limit(5).toList() + ", and twice " + twice;
    }

    private static String coordinates(String topic, int partition, long offset) {
        return topic + "/" + partition + "/" + offset;
    }

    private static String text(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? "-1" : new String(header.value(), UTF_8);
    }

    @Override
    public void close() {
        producers.values().forEach(KafkaProducer::close);
    }
}
