package dev.ebb.bench;

import dev.ebb.serde.Decoded;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Reads what an application has stored as it came. */
final class StoredRecords {

    private final Lane lane;

    StoredRecords(Lane lane) {
        this.lane = lane;
    }

    /** @throws VoidRunException if it is no event */
    Contents contents(byte[] value) {
        if (lane.records().read(lane.topics().events(), new RecordHeaders(), value)
                instanceof Decoded.OfEvent decoded) {
            return Contents.of(decoded.event());
        }
        throw new VoidRunException("something is stored that is no event");
    }
}
