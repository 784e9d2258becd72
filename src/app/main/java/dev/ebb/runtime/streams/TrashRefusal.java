package dev.ebb.runtime.streams;

import java.util.Set;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Tells failures of a topic from those of a broker or of another record, with which the records of all topics fail in one
 * transaction. Stateless.
 */
final class TrashRefusal {

    private static final Set<Class<? extends Exception>> OF_THE_TOPIC = Set.of(
            TopicAuthorizationException.class,
            InvalidTopicException.class,
            UnknownTopicOrPartitionException.class,
            RecordTooLargeException.class,
            PolicyViolationException.class,
            NotEnoughReplicasException.class,
            NotEnoughReplicasAfterAppendException.class,
            KafkaStorageException.class);

    private TrashRefusal() {}

    /** Returns true if that topic itself does not take records. */
    static boolean isOne(String topic, Exception failure) {
        String message = failure.getMessage();
        return OF_THE_TOPIC.contains(failure.getClass())
                || (failure instanceof TimeoutException
                        && message != null
                        && message.startsWith("Topic " + topic + " not present in metadata"));
    }
}
