package dev.ebb.runtime.streams;

import dev.ebb.topology.fault.FailedRecords;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProductionExceptionHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reacts to a record that cannot be sent. The transaction has failed with the record and can no longer be committed, so
 * the thread ends in any case, and with it everything that must not be committed alone, such as a delete without its
 * audit record. But a producer refuses a record that is too big on the very thread that sends it, and a later refusal
 * by the broker names the input record that was being taken in. That input record is set aside when it is read again,
 * rather than tried for ever. Each failure is counted. Thread-safe; created by Kafka Streams.
 */
public final class ProductionFailures implements ProductionExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProductionFailures.class);

    /** Failures of a single topic; a failure of a broker, or of another record, affects the records of all topics. */
    private static final Set<Class<? extends Exception>> OF_THE_TOPIC = Set.of(
            TopicAuthorizationException.class,
            InvalidTopicException.class,
            UnknownTopicOrPartitionException.class,
            RecordTooLargeException.class,
            PolicyViolationException.class,
            NotEnoughReplicasException.class,
            NotEnoughReplicasAfterAppendException.class,
            KafkaStorageException.class);

    private volatile FailedRecords failed = new FailedRecords();

    @Override
    public void configure(Map<String, ?> settings) {
        if (settings.get(FailedRecords.SETTING) instanceof FailedRecords shared) {
            failed = shared;
        }
    }

    @Override
    public Response handleError(ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception failure) {
        String culprit =
                isOfTheRecord(failure) ? culprit(context, "is too big: " + failure.getMessage(), record.topic()) : null;
        tell(context, record.topic(), culprit, failure);
        return Response.fail();
    }

    /** Always called on the sending thread. */
    @Override
    @SuppressWarnings("rawtypes") // as declared
    public Response handleSerializationError(
            ErrorHandlerContext context,
            ProducerRecord record,
            Exception failure,
            SerializationExceptionOrigin origin) {
        String culprit = culprit(context, "has no form as bytes: " + failure.getMessage(), record.topic());
        tell(context, record.topic(), culprit, failure);
        return Response.fail();
    }

    private void tell(ErrorHandlerContext context, String topic, @Nullable String culprit, Exception failure) {
        failed.countUnsent(topic);
        if (failed.isTrash(topic) && isOfTheTopic(topic, failure)) {
            failed.trashRefused();
        }
        LOG.atError()
                .setCause(failure)
                .addKeyValue("topic", topic)
                .addKeyValue("task", context.taskId())
                .addKeyValue("record", culprit == null ? "none" : culprit)
                .log("a record cannot be sent");
    }

    /** Any other failure passes, or would affect other records as well. */
    private static boolean isOfTheRecord(Exception failure) {
        return failure instanceof RecordTooLargeException || failure.getCause() instanceof RecordTooLargeException;
    }

    /** Returns true if that topic itself refuses records. */
    static boolean isOfTheTopic(String topic, Exception failure) {
        String message = failure.getMessage();
        return OF_THE_TOPIC.contains(failure.getClass())
                || (failure instanceof TimeoutException
                        && message != null
                        && message.startsWith("Topic " + topic + " not present in metadata"));
    }

    private @Nullable String culprit(ErrorHandlerContext context, String what, String topic) {
        String why = "the output for it to " + topic + " " + what;
        String current = failed.rememberCurrent(why);
        if (current != null || context.topic() == null || context.offset() < 0) {
            return current;
        }
        failed.remember(context.topic(), context.partition(), context.offset(), why);
        return context.topic() + "-" + context.partition() + " at " + context.offset();
    }
}
