package dev.ebb.runtime.history;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.port.UnavailableException;
import dev.ebb.port.history.HistoryPage;
import dev.ebb.port.history.RejectedQueries;
import dev.ebb.port.history.RejectedRecord;
import dev.ebb.port.history.RejectedRecord.Header;
import dev.ebb.port.history.RejectedRecord.LeftOut;
import dev.ebb.port.history.TimeRange;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/** Reads the topic of rejected records, and sends them again. */
public final class KafkaRejectedQueries implements RejectedQueries, AutoCloseable {

    /**
     * Headers for the reason of the rejection and for the file of the record: a record that is sent again stands alone.
     */
    private static final List<String> DROPPED = List.of(EbbHeaders.REJECTED, "ebb-apply-");

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final TopicReader topic;
    private final Producer<byte[], byte[]> producer;
    private final Map<String, String> targets;

    /** @param producer a producer for this object alone, which closes it */
    public KafkaRejectedQueries(TopicReader topic, Producer<byte[], byte[]> producer, Topics topics) {
        this.topic = topic;
        this.producer = producer;
        // A record that was on its way to its partition starts again; only the topology writes to that topic.
        this.targets = Map.of(
                topics.events(), topics.events(),
                topics.rekey(), topics.events(),
                topics.policies(), topics.policies());
    }

    @Override
    public HistoryPage<RejectedRecord> list(
            @Nullable String reason, TimeRange time, @Nullable String after, int limit) {
        return topic.page(time, after, limit, record -> {
            RejectedRecord rejected = rejected(record);
            boolean isAsked = reason == null || reason.equals(rejected.reason());
            return isAsked && time.contains(rejected.rejectedAtMs()) ? rejected : null;
        });
    }

    @Override
    public Optional<RejectedRecord> find(RejectedRecord.Id id) {
        return topic.at(id.partition(), id.offset()).map(KafkaRejectedQueries::rejected);
    }

    @Override
    public String replay(RejectedRecord record) {
        LeftOut leftOut = record.leftOut();
        if (leftOut != null) {
            throw new NotReplayableException("record " + record.id() + " cannot be sent again: its value of "
                    + leftOut.valueBytes() + " bytes was left out, because the record was too big to be kept; send"
                    + " its content again from the source, in smaller records");
        }
        String target = targets.get(record.topic());
        if (target == null) {
            throw new NotReplayableException("record " + record.id() + " came from '" + record.topic()
                    + "', which is none of the topics that are read: " + String.join(", ", targets.keySet()));
        }
        send(record.id(), outgoing(record, target));
        return target;
    }

    @Override
    public void close() {
        producer.close(CLOSE_TIMEOUT);
    }

    /**
     * The record gets the present time if its timestamp is negative, which may be the reason for the rejection and
     * cannot be sent, or lies before the delete of its stream, after which it would be rejected again.
     */
    private static ProducerRecord<byte[], byte[]> outgoing(RejectedRecord record, String target) {
        boolean isNew = record.timestampMs() < 0 || record.reason().equals(RejectReason.STREAM_DELETED.name());
        Long timestamp = isNew ? null : (Long) record.timestampMs();
        ProducerRecord<byte[], byte[]> outgoing =
                new ProducerRecord<>(target, null, timestamp, record.key(), record.value());
        record.headers().forEach(header -> outgoing.headers().add(header.name(), header.value()));
        return outgoing;
    }

    private void send(RejectedRecord.Id id, ProducerRecord<byte[], byte[]> record) {
        try {
            producer.send(record).get();
        } catch (KafkaException | ExecutionException e) {
            if (e instanceof RecordTooLargeException || e.getCause() instanceof RecordTooLargeException) {
                throw new NotReplayableException("record " + id + " is too big for the topic that it came from as it is"
                        + " sent now; send it again from where it was made, in smaller records");
            }
            if (e.getCause() instanceof ApiException refusal && !(refusal instanceof RetriableException)) {
                throw new NotReplayableException("the broker refuses record " + id + ": " + refusal.getMessage());
            }
            throw new UnavailableException("the broker did not accept the record", e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static RejectedRecord rejected(ConsumerRecord<byte[], byte[]> record) {
        List<Header> kept = new ArrayList<>();
        record.headers().forEach(header -> {
            if (DROPPED.stream().noneMatch(header.key()::startsWith)) {
                kept.add(new Header(header.key(), header.value()));
            }
        });
        return new RejectedRecord(
                new RejectedRecord.Id(record.partition(), record.offset()),
                record.timestamp(),
                text(record, EbbHeaders.REJECTED_REASON),
                text(record, EbbHeaders.REJECTED_DETAIL),
                text(record, EbbHeaders.REJECTED_TOPIC),
                (int) number(record, EbbHeaders.REJECTED_PARTITION),
                number(record, EbbHeaders.REJECTED_OFFSET),
                number(record, EbbHeaders.REJECTED_TIMESTAMP),
                record.key(),
                record.value(),
                kept,
                leftOut(record));
    }

    private static @Nullable LeftOut leftOut(ConsumerRecord<byte[], byte[]> record) {
        return record.headers().lastHeader(EbbHeaders.REJECTED_VALUE_BYTES) == null
                ? null
                : new LeftOut(
                        number(record, EbbHeaders.REJECTED_VALUE_BYTES),
                        text(record, EbbHeaders.REJECTED_VALUE_SHA256),
                        number(record, EbbHeaders.REJECTED_KEY_BYTES),
                        number(record, EbbHeaders.REJECTED_HEADERS_LEFT_OUT));
    }

    private static String text(ConsumerRecord<byte[], byte[]> record, String name) {
        org.apache.kafka.common.header.Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }

    private static long number(ConsumerRecord<byte[], byte[]> record, String name) {
        String text = text(record, name);
        return text.matches("-?\\d{1,18}") ? Long.parseLong(text) : -1;
    }
}
