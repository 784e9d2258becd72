package dev.ebb.runtime;

import dev.ebb.topology.FailedRecords;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProductionExceptionHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens when a record cannot be sent. The transaction has failed with it and cannot be committed any more, so the
 * thread ends in any case. But a producer refuses what is too big on the very thread that sends it, so it is known then
 * which record was being taken in; that one is set aside when it comes again, and not tried for ever. Thread-safe; made by
 * Kafka Streams.
 */
public final class ProductionFailures implements ProductionExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProductionFailures.class);

    private volatile FailedRecords failed = new FailedRecords();

    @Override
    public void configure(Map<String, ?> settings) {
        if (settings.get(FailedRecords.SETTING) instanceof FailedRecords shared) {
            failed = shared;
        }
    }

    @Override
    public Response handleError(ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception failure) {
        String culprit = culprit(record, failure);
        LOG.atError()
                .setCause(failure)
                .addKeyValue("topic", record.topic())
                .addKeyValue("task", context.taskId())
                .addKeyValue("record", culprit == null ? "none" : culprit)
                .log("a record cannot be sent");
        return Response.fail();
    }

    private @Nullable String culprit(ProducerRecord<byte[], byte[]> record, Exception failure) {
        return failure instanceof RecordTooLargeException
                ? failed.rememberCurrent(
                        "what was to be written for it to " + record.topic() + " is too big: " + failure.getMessage())
                : null;
    }
}
