package dev.ebb.store.layout;

import dev.ebb.domain.source.SourcePlace;
import dev.ebb.store.rocks.Derivation;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Derives the index entries of a stored event: the entry that finds the event by its id, its entry among the deadlines
 * or the waiting events, and that of the record of a log from which it was made. No entry is in the changelog.
 * Stateless.
 */
public final class EventIndexes implements Derivation {

    private static final byte[] NOTHING = new byte[0];

    @Override
    public boolean isLookup(byte[] key) {
        return key[0] == Range.IDS.code();
    }

    @Override
    public boolean isSource(byte[] key) {
        Range range = Range.ofCode(key[0]);
        return range != null && range.holdsEvents();
    }

    /** A deadline, or the time since which an event waits, is in the value and not in the key. */
    @Override
    public boolean mayChange(byte[] key) {
        return key[0] == Range.TIMED.code() || key[0] == Range.PINNED.code();
    }

    @Override
    public void derive(byte[] key, byte[] value, Entries entries) {
        Range range = Range.ofCode(key[0]);
        StoredEventCodec.Identity event = range == null || !range.holdsEvents() ? null : identity(value);
        if (range == null || event == null) {
            return;
        }
        int sid = EventKeys.sidOf(key);
        entries.add(EventKeys.byId(Range.IDS, sid, event.id()).get(), () -> Location.of(range, key, event, value)
                .encode());
        long mark = range.isMarked() ? StoredEventCodec.markOf(value) : Location.NO_DUE;
        if (range == Range.TIMED && mark != Location.NO_DUE) {
            Position position = EventKeys.positionOf(Bytes.wrap(key));
            entries.add(EventKeys.due(sid, mark, position).get(), () -> NOTHING);
        }
        SourcePlace place = placeOf(value);
        if (place != null) {
            entries.add(EventKeys.sourced(place, sid, event.id()).get(), () -> NOTHING);
        }
        if (range == Range.PINNED) {
            entries.add(EventKeys.waiting(mark, sid, event.id()).get(), () -> NOTHING);
        }
    }

    @Override
    public boolean expand(byte[] key, byte @Nullable [] value, BiConsumer<byte[], byte @Nullable []> change) {
        if (value == null || !RunReader.isRun(key)) {
            return Bundle.read(key, value, change);
        }
        RunReader.read(value, (stream, removed, storedAt, id) -> change.accept(removed, null));
        return true;
    }

    private static @Nullable SourcePlace placeOf(byte[] value) {
        try {
            return StoredEventCodec.placeOf(value);
        } catch (IndexOutOfBoundsException | IllegalArgumentException | IllegalStateException e) {
            return null;
        }
    }

    /**
     * Returns the identity; null if the event is too damaged. Such an event can still be restored, and deleted with its
     * stream.
     */
    private static StoredEventCodec.@Nullable Identity identity(byte[] value) {
        try {
            return StoredEventCodec.decodeIdentity(value);
        } catch (IndexOutOfBoundsException | IllegalArgumentException | IllegalStateException e) {
            return null;
        }
    }
}
