package dev.ebb.topology;

import dev.ebb.store.layout.InputRecord;
import dev.ebb.topology.fault.FailedRecords;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** For tests of other packages: a thread that takes a record in, and what becomes of it when it comes again. */
public final class SettingAside {

    /** Where the records lie. */
    public static final String TOPIC = "events";

    private SettingAside() {}

    /** This thread takes in the record at that offset of partition 0 of {@code events} while the work is done. */
    public static void taking(FailedRecords failed, long offset, Runnable work) {
        failed.taking(record(offset));
        work.run();
        failed.taking(null);
    }

    /** Reason why the record is set aside when it comes again; null if it is not. */
    public static @Nullable String why(FailedRecords failed, long offset) {
        return failed.setAside(record(offset));
    }

    private static InputRecord record(long offset) {
        return new InputRecord(TOPIC, 0, offset, 0, null, null, new RecordHeaders());
    }
}
