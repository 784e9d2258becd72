package dev.ebb.topology.trash;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.Map;
import java.util.function.LongPredicate;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** Seals of the trash for tests, all with one secret. */
public final class TestSeals {

    private static final byte[] SECRET = new byte[TrashSeal.SECRET_BYTES];

    private TestSeals() {}

    /** Guard that knows the seals; nothing was taken out. */
    public static TrashGuard guard() {
        return guard(number -> false);
    }

    /** Guard that knows the seals and the numbers of records that were taken out. */
    public static TrashGuard guard(LongPredicate isOut) {
        return new TrashGuard(() -> SECRET, isOut, TrashPromise.NOTHING);
    }

    /** Guard that knows the seals, and that so many events of that deletion must be there. */
    public static TrashGuard promising(StreamName stream, Deletion deletion, long events, long firstSerial) {
        var numbers = new TrashPromise.Numbers(events, 0);
        var waiting = Map.of(TrashSlot.of(stream, deletion), numbers);
        var promise = new TrashPromise(waiting, deletion.deletedAtMs(), firstSerial, Long.MAX_VALUE);
        return new TrashGuard(() -> SECRET, number -> false, promise);
    }

    /** Headers with the seal of the record. */
    public static Headers sealed(byte[] key, byte @Nullable [] value, Headers headers) {
        RecordHeaders sealed = new RecordHeaders(headers.toArray());
        return sealed.add(EbbHeaders.TRASH_SEAL, new TrashSeal(SECRET).of(key, value, TrashSeal.sealed(headers)));
    }
}
