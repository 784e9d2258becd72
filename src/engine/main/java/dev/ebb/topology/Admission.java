package dev.ebb.topology;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.StreamName;
import dev.ebb.serde.json.CloudEvents;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.topology.observe.RetentionObserver.LateRecord;
import dev.ebb.topology.parts.PartitionParts;
import dev.ebb.topology.source.SourceLedger;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.StreamPartition;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Entry check for records of the events topic: admits a record, sends it on if it came to the wrong place, or rejects
 * it if it cannot be used. Not thread-safe.
 */
record Admission(SharedParts shared, PartitionParts here, SourceLedger ledger, Runnable writing) {

    /** Rejects the record if it cannot be read; returns false if it can be. */
    boolean turnsAway(InputRecord record) {
        Rejection unusable = unusable(record);
        if (unusable != null) {
            reject(record, unusable);
        }
        return unusable != null;
    }

    private @Nullable Rejection unusable(InputRecord record) {
        String badTimestamp = EbbHeaders.text(record.headers(), EbbHeaders.BAD_TIMESTAMP);
        if (badTimestamp != null) {
            return new Rejection(RejectReason.BAD_TIMESTAMP, "the Kafka timestamp is " + badTimestamp);
        }
        byte[] value = record.value();
        if (value == null) {
            return CloudEvents.isBinary(record.headers())
                    ? null
                    : new Rejection(RejectReason.UNDECODABLE, "the record has no value");
        }
        return shared.settings().limits().problemOfEvent("the value of the record", value.length);
    }

    /** Sends the record on to its partition, or rejects it; returns false if the record is good and belongs here. */
    boolean turnsAway(InputRecord record, StreamName stream, @Nullable Rejection problem) {
        if (isElsewhere(record, stream)) {
            rekey(record, stream);
        } else if (problem != null) {
            reject(record, problem);
        } else {
            return false;
        }
        return true;
    }

    /**
     * Returns true if the record belongs to another partition. The partition of a stream that is already here need not
     * be computed.
     */
    private boolean isElsewhere(InputRecord record, StreamName stream) {
        return (here.store().stream(stream) == null && partitionOf(stream) != here.partition())
                || (!record.topic().equals(shared.topics().rekey()) && !hasKeyOf(record, stream));
    }

    private int partitionOf(StreamName stream) {
        return StreamPartition.of(stream, shared.topics().partitions());
    }

    private static boolean hasKeyOf(InputRecord record, StreamName stream) {
        byte[] key = record.key();
        return key != null && Arrays.equals(key, stream.value().getBytes(StandardCharsets.UTF_8));
    }

    private void rekey(InputRecord record, StreamName stream) {
        writing.run();
        here.observer().rekeyed();
        here.outbox().rekey(EbbHeaders.withOrigin(record), stream, partitionOf(stream));
    }

    /**
     * Returns true if the record was produced before a command deleted its stream (O-10). The time of the record is its
     * Kafka timestamp; the time of the delete comes from our clock. A late event is set aside, since it may be missed;
     * a late update has nothing left to update.
     */
    boolean isLate(InputRecord record, StreamName stream, LateRecord kind, long nowMs) {
        boolean isLate = here.store().isLate(stream, record.timestampMs(), nowMs);
        if (isLate) {
            here.observer().late(stream, kind);
        }
        return isLate;
    }

    void reject(InputRecord record, Rejection rejection) {
        writing.run();
        here.observer().rejected(rejection.reason());
        ledger.rejected(record);
        here.outbox().reject(record, rejection);
    }
}
