package dev.ebb.store;

import org.apache.kafka.common.utils.Bytes;

/**
 * What the task remembers besides its streams; kept with the usage under a key that no stream name can have.
 *
 * @param nextSid the number of the next stream; never used again
 * @param parkedHead the arrival number of the first parked record
 * @param parkedNext the arrival number of the next record to park
 * @param fence the version of the newest hold that the task has confirmed: it deletes nothing under older policies
 * @param nextAudit the number of the next run of deletes that is not part of a scheduled sweep
 */
record TaskRecord(int nextSid, long parkedHead, long parkedNext, long fence, long nextAudit) {

    static final Bytes KEY = Bytes.wrap(new byte[] {0});
    static final TaskRecord FIRST = new TaskRecord(1, 0, 0, -1, 0);

    private static final int EXPECTED_BYTES = Integer.BYTES + 4 * Long.BYTES;

    TaskRecord withNextSid(int sid) {
        return new TaskRecord(sid, parkedHead, parkedNext, fence, nextAudit);
    }

    TaskRecord withParked(long head, long next) {
        return new TaskRecord(nextSid, head, next, fence, nextAudit);
    }

    TaskRecord withFence(long version) {
        return new TaskRecord(nextSid, parkedHead, parkedNext, version, nextAudit);
    }

    TaskRecord withNextAudit(long number) {
        return new TaskRecord(nextSid, parkedHead, parkedNext, fence, number);
    }

    byte[] encode() {
        return new ByteWriter(EXPECTED_BYTES)
                .writeInt(nextSid)
                .writeLong(parkedHead)
                .writeLong(parkedNext)
                .writeLong(fence)
                .writeLong(nextAudit)
                .toBytes();
    }

    static TaskRecord decode(byte[] value) {
        ByteReader in = new ByteReader(value);
        return new TaskRecord(in.readInt(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
    }
}
