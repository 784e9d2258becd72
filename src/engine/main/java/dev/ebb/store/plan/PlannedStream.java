package dev.ebb.store.plan;

import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import dev.ebb.store.state.StreamState;

/**
 * A whole stream that a plan names. As long as the stream has received no further event, new or brought back, the plan
 * covers everything that it holds.
 *
 * @param sid the number of the stream; a stream that is created again under the same name has another one
 * @param nextSeq the place in the order of arrival of the first event that is not in the plan
 * @param digest the digest of the stream's events
 */
public record PlannedStream(int sid, long nextSeq, PlanDigest digest) {

    /** Returns true if the stream holds no event that is not in the plan. */
    public boolean covers(StreamState stream) {
        return stream.sid() == sid && stream.nextSeq() == nextSeq;
    }

    byte[] encode() {
        return new ByteWriter(64)
                .writeInt(sid)
                .writeLong(nextSeq)
                .writeLong(digest.events())
                .writeLong(digest.a())
                .writeLong(digest.b())
                .writeLong(digest.c())
                .writeLong(digest.d())
                .toBytes();
    }

    static PlannedStream decode(byte[] value) {
        ByteReader in = new ByteReader(value);
        int sid = in.readInt();
        long nextSeq = in.readLong();
        PlanDigest digest = new PlanDigest(in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
        return new PlannedStream(sid, nextSeq, digest);
    }
}
