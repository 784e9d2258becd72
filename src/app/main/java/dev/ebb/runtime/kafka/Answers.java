package dev.ebb.runtime.kafka;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InterruptException;

/** Waits for what the broker answers to an admin client, and throws what Kafka threw as it was. */
public final class Answers {

    private Answers() {}

    public static <T> T of(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
        }
    }
}
