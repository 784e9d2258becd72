package dev.ebb.store.layout;

import org.apache.kafka.common.utils.Bytes;

/**
 * The memory of the task besides its streams; kept with the usage under a key that no stream name can equal.
 *
 * @param nextSid the number of the next stream; never used again
 * @param fence the offset, on the topic of accepted policies, of the newest hold that the task has confirmed: the task
 *     deletes nothing under an older view of the policies
 * @param nextAudit the number of the next run of deletes outside scheduled sweeps
 * @param nextParked the number of the next stream that has to wait; never used again
 * @param firstSeq the place of a new stream's first event in the order of arrival: no event of a stream that is gone
 *     had it or a later one, so an event that comes back never meets one of a later stream of its name (T-2)
 */
public record TaskRecord(int nextSid, long fence, long nextAudit, long nextParked, long firstSeq) {

    public static final Bytes KEY = Bytes.wrap(new byte[] {0});
    public static final TaskRecord FIRST = new TaskRecord(1, -1, 0, 0, 0);

    private static final int EXPECTED_BYTES = Integer.BYTES + 4 * Long.BYTES;

    public TaskRecord withNextSid(int sid) {
        return new TaskRecord(sid, fence, nextAudit, nextParked, firstSeq);
    }

    public TaskRecord withFence(long offset) {
        return new TaskRecord(nextSid, offset, nextAudit, nextParked, firstSeq);
    }

    public TaskRecord withNextAudit(long number) {
        return new TaskRecord(nextSid, fence, number, nextParked, firstSeq);
    }

    public TaskRecord withNextParked(long number) {
        return new TaskRecord(nextSid, fence, nextAudit, number, firstSeq);
    }

    public TaskRecord withFirstSeq(long seq) {
        return new TaskRecord(nextSid, fence, nextAudit, nextParked, seq);
    }

    public byte[] encode() {
        return new ByteWriter(EXPECTED_BYTES)
                .writeInt(nextSid)
                .writeLong(fence)
                .writeLong(nextAudit)
                .writeLong(nextParked)
                .writeLong(firstSeq)
                .toBytes();
    }

    public static TaskRecord decode(byte[] value) {
        ByteReader in = new ByteReader(value);
        return new TaskRecord(in.readInt(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
    }
}
