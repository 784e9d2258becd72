package dev.ebb.bench.stack;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.serde.records.Decoded;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Reads original records that an application has stored. */
public final class StoredRecords {

    private final Lane lane;

    public StoredRecords(Lane lane) {
        this.lane = lane;
    }

    /** @throws VoidRunException if the value is no event */
    public Contents contents(byte[] value) {
        if (lane.records().read(lane.topics().events(), new RecordHeaders(), value)
                instanceof Decoded.OfEvent decoded) {
            return Contents.of(decoded.event());
        }
        throw new VoidRunException("something is stored that is no event");
    }
}
