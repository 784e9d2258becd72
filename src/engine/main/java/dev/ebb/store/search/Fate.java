package dev.ebb.store.search;

import dev.ebb.domain.plan.LeftOut;
import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * The fate of an event in an erasure. Copies are told by bits, one for each kind of copy.
 *
 * @param erased number of times it went from the store: one that comes again goes again
 * @param protectedErased number of these times at which it was protected
 * @param bytes its size, of all these times together
 * @param left the reason for which it stays in the store; null if it does not
 * @param copiesErased kinds of copies that went
 * @param copiesHeld kinds of copies that stay, because its stream is held
 * @param copiesStaying kinds of copies that stay, because their key is not theirs alone
 */
public record Fate(
        long erased,
        long protectedErased,
        long bytes,
        @Nullable LeftOut left,
        int copiesErased,
        int copiesHeld,
        int copiesStaying) {

    /** Nothing has become of it. */
    public static final Fate NONE = new Fate(0, 0, 0, null, 0, 0, 0);

    /** The event has gone from the store once more. */
    public Fate erasedOnceMore(boolean isProtected, long size) {
        return new Fate(
                erased + 1,
                protectedErased + (isProtected ? 1 : 0),
                bytes + size,
                null,
                copiesErased,
                copiesHeld,
                copiesStaying);
    }

    /** The event would go; a dry run may look at one event more than once. */
    public Fate wouldGo(boolean isProtected, long size) {
        return new Fate(1, isProtected ? 1 : 0, size, null, copiesErased, copiesHeld, copiesStaying);
    }

    /** The event stays in the store, or is not there. */
    public Fate leftBy(LeftOut reason) {
        return new Fate(erased, protectedErased, bytes, reason, copiesErased, copiesHeld, copiesStaying);
    }

    /** The event would stay, whatever was found before. */
    public Fate wouldStay(LeftOut reason) {
        return new Fate(0, 0, 0, reason, copiesErased, copiesHeld, copiesStaying);
    }

    /** A copy has gone, or would. */
    public Fate copyErased(int kind) {
        return new Fate(
                erased, protectedErased, bytes, left, copiesErased | kind, copiesHeld & ~kind, copiesStaying & ~kind);
    }

    /** A copy stays because of a hold. */
    public Fate copyHeld(int kind) {
        return new Fate(erased, protectedErased, bytes, left, copiesErased, copiesHeld | kind, copiesStaying);
    }

    /** A copy stays because its key is not its own. */
    public Fate copyStays(int kind) {
        return new Fate(erased, protectedErased, bytes, left, copiesErased, copiesHeld, copiesStaying | kind);
    }

    /** Returns true if bytes of it have gone, or would go. */
    public boolean hasGone() {
        return erased > 0 || copiesErased != 0;
    }

    byte[] encode() {
        return new ByteWriter(32)
                .writeVarLong(erased)
                .writeVarLong(protectedErased)
                .writeVarLong(bytes)
                .writeText(left == null ? "" : left.name())
                .writeByte(copiesErased)
                .writeByte(copiesHeld)
                .writeByte(copiesStaying)
                .toBytes();
    }

    static Fate decode(byte[] value) {
        ByteReader in = new ByteReader(value);
        long erased = in.readVarLong();
        long protectedErased = in.readVarLong();
        long bytes = in.readVarLong();
        String left = in.readText();
        return new Fate(
                erased,
                protectedErased,
                bytes,
                left.isEmpty() ? null : LeftOut.valueOf(left),
                in.readByte(),
                in.readByte(),
                in.readByte());
    }
}
