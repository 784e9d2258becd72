package dev.ebb.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.port.history.AuditQueries.AuditFilter;
import dev.ebb.port.history.TimeRange;
import dev.ebb.runtime.history.KafkaAuditQueries;
import dev.ebb.runtime.history.KafkaRecordLog;
import dev.ebb.runtime.history.TopicReader;
import dev.ebb.runtime.history.WarmReaders;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.schemas.AvroSettings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Reads the audit of 16 partitions, each of which ends in a transaction marker and aborted records.
 * {@code -Dhistory.records=100000} makes it long; the times that it prints then say something.
 */
@Tag("O-17")
@Timeout(300)
class HistoryReadsIT {

    private static final int PARTITIONS = 16;
    private static final int RECORDS = Integer.getInteger("history.records", 1600);
    private static final int ABORTED = 3;
    private static final int A_TRANSACTION = 2000;
    private static final AuditFilter ALL = AuditFilter.within(TimeRange.ALWAYS);

    private final EbbConfig config = SharedStack.config(Map.of("topics.partitions", "" + PARTITIONS));
    private final String topic = TopicPlan.topics(config).audit();
    private final KafkaClients clients = new KafkaClients(config);
    private final AvroRecords records = AvroRecords.of(AvroSettings.of(config.schemaRegistryProperties()));
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger polls = new AtomicInteger();
    private final WarmReaders readers = new WarmReaders(this::watchedReader, 8, Duration.ofSeconds(15));
    private final KafkaAuditQueries audit = new KafkaAuditQueries(
            new TopicReader(() -> KafkaRecordLog.open(readers.take(), topic), Duration.ofSeconds(60)),
            records,
            PARTITIONS);

    @BeforeEach
    void fill() {
        records.prepare();
        try (Admin admin = clients.admin();
                Producer<byte[], byte[]> producer =
                        clients.transactionalProducer(config.get(Settings.APPLICATION_ID) + "-audit")) {
            new TopicAdmin(admin, config).create();
            producer.initTransactions();
            for (int first = 0; first < RECORDS; first += A_TRANSACTION) {
                producer.beginTransaction();
                send(producer, first, Math.min(RECORDS, first + A_TRANSACTION));
                producer.commitTransaction();
            }
            producer.beginTransaction();
            send(producer, RECORDS, RECORDS + ABORTED * PARTITIONS);
            producer.flush();
            producer.abortTransaction();
        }
    }

    @AfterEach
    void close() {
        readers.close();
        records.close();
    }

    @Test
    void shouldReadAllPartitionsSideBySideWithOneConsumer() {
        // when
        Map<String, Duration> took = new HashMap<>();
        List<AuditRecord> newest =
                timed(took, "list", () -> audit.list(ALL, null, 100).items());
        int pollsOfList = polls.get();
        timed(took, "list again", () -> audit.list(ALL, null, 100).items());
        AtomicLong visited = new AtomicLong();
        boolean isComplete = timed(took, "compliance", () -> audit.visit(ALL, entry -> visited.incrementAndGet() > 0));
        boolean isFound =
                timed(took, "find", () -> audit.find("a-" + RECORDS / 2).isPresent());
        boolean isAbortedFound =
                timed(took, "find nothing", () -> audit.find("a-" + RECORDS).isPresent());

        // then
        System.out.println(RECORDS + " records of the audit in " + PARTITIONS + " partitions: " + took);
        assertThat(newest).hasSize(100);
        assertThat(visited).hasValue(RECORDS);
        assertThat(isComplete).isTrue();
        assertThat(isFound).isTrue();
        assertThat(isAbortedFound).isFalse();
        assertThat(made).hasValue(1);
        // One partition after the other would take one for each at least.
        assertThat(pollsOfList).isLessThan(PARTITIONS);
    }

    @Test
    void shouldShowEachRecordOnceOverAllPages() {
        // when
        List<String> seen = new ArrayList<>();
        String next = null;
        do {
            var page = audit.list(ALL, next, 1 + RECORDS / 3);
            page.items().forEach(entry -> seen.add(entry.auditId()));
            next = page.next();
        } while (next != null);

        // then
        assertThat(seen).doesNotHaveDuplicates().hasSize(RECORDS);
    }

    private void send(Producer<byte[], byte[]> producer, int from, int to) {
        for (int i = from; i < to; i++) {
            var entry = new AuditRecord(
                    "a-" + i,
                    Origin.ofSweep("s"),
                    new StreamName("n/" + i % 100),
                    RemovalCause.MAX_AGE,
                    "*",
                    1,
                    List.of("e-" + i),
                    100,
                    1,
                    2,
                    3);
            var unused = producer.send(new ProducerRecord<>(topic, i % PARTITIONS, null, records.audit(entry)));
        }
    }

    private static <T> T timed(Map<String, Duration> took, String what, java.util.function.Supplier<T> question) {
        long begin = System.nanoTime();
        T answer = question.get();
        took.put(what, Duration.ofMillis((System.nanoTime() - begin) / 1_000_000));
        return answer;
    }

    @SuppressWarnings("unchecked")
    private Consumer<byte[], byte[]> watchedReader() {
        made.incrementAndGet();
        Consumer<byte[], byte[]> reader = clients.reader();
        return (Consumer<byte[], byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Consumer.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("poll")) {
                        polls.incrementAndGet();
                    }
                    try {
                        return method.invoke(reader, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
