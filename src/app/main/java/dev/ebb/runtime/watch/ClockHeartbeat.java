package dev.ebb.runtime.watch;

import dev.ebb.runtime.kafka.KafkaProblem;
import dev.ebb.runtime.watch.ClockGuard.Moment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the broker for its time: each run sends one heartbeat, and passes the answer to the guard when it arrives. An
 * unanswered heartbeat is forgotten; the next one asks again. One thread runs it.
 */
public final class ClockHeartbeat implements Runnable, AutoCloseable {

    /** The header with the fixed name of the instance in its group; heartbeats of an instance without one lack it. */
    public static final String MEMBER = "ebb-member";

    private static final Logger LOG = LoggerFactory.getLogger(ClockHeartbeat.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    /**
     * Timestamp of a heartbeat. If the topic did not use the broker's time, the answer would be this time rather than
     * that of the machine, and nothing would be deleted.
     */
    private static final long NO_TIME = 0;

    private final Producer<byte[], byte[]> producer;
    private final String topic;
    private final byte[] instance;
    private final List<Header> headers;
    private final ClockGuard guard;
    private boolean isStopped;
    private volatile @Nullable String lastFailure;

    /**
     * @param instance the address of this instance, which is the key of its heartbeats
     * @param member its fixed name in the group, if it has one
     */
    public ClockHeartbeat(
            Producer<byte[], byte[]> producer,
            String topic,
            String instance,
            Optional<String> member,
            ClockGuard guard) {
        this.producer = producer;
        this.topic = topic;
        this.instance = instance.getBytes(StandardCharsets.UTF_8);
        this.headers = member.<List<Header>>map(
                        name -> List.of(new RecordHeader(MEMBER, name.getBytes(StandardCharsets.UTF_8))))
                .orElse(List.of());
        this.guard = guard;
    }

    @Override
    public void run() {
        tell();
        Moment asked = guard.now();
        byte[] ourTime = Long.toString(asked.wallMs()).getBytes(StandardCharsets.UTF_8);
        try {
            var unused = producer.send(
                    new ProducerRecord<>(topic, null, NO_TIME, instance, ourTime, headers),
                    (answer, failure) -> answered(asked, answer, failure));
        } catch (KafkaException e) {
            lastFailure = KafkaProblem.text(e);
            LOG.atDebug().setCause(e).log("the broker cannot be asked for its time");
        }
    }

    /**
     * Sends a heartbeat, and returns when the broker has answered.
     *
     * @throws TimeoutException if the answer of the broker is late, is missing, or has no time
     */
    public void awaitAnswer() {
        run();
        producer.flush();
        if (guard.differenceMs().isEmpty()) {
            String reason = lastFailure;
            throw new TimeoutException("no answer from the topic " + topic + (reason == null ? "" : ": " + reason));
        }
    }

    @Override
    public void close() {
        producer.close(CLOSE_TIMEOUT);
    }

    private void answered(Moment asked, @Nullable RecordMetadata answer, @Nullable Exception failure) {
        if (failure != null || answer == null || !answer.hasTimestamp()) {
            lastFailure = failure == null ? "it gives no time to its records" : KafkaProblem.text(failure);
            LOG.atDebug().setCause(failure).log("the broker did not tell its time");
        } else {
            guard.answered(asked, answer.timestamp());
        }
    }

    /**
     * Reports once that sweeping stops, and once that it continues. The time before the first answer is not reported.
     */
    private void tell() {
        String problem = guard.problem();
        if (problem != null && !isStopped && guard.differenceMs().isPresent()) {
            isStopped = true;
            LOG.atWarn().addKeyValue("reason", problem).log("sweeping is stopped by the clock guard");
        } else if (problem == null && isStopped) {
            isStopped = false;
            LOG.atInfo().log("the clock can be trusted again: sweeping resumes");
        }
    }
}
