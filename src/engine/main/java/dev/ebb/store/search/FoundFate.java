package dev.ebb.store.search;

import dev.ebb.domain.plan.LeftOut;
import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * The fate of an event in an erasure. Kinds of copies are bits, one for each kind.
 *
 * @param erased how often the event went from the store: an event that comes again goes again
 * @param protectedErased how often it was protected when it went
 * @param bytes its size, summed over all the times it went
 * @param left the reason why it stays in the store; null if it does not stay
 * @param copiesErased the kinds of copies that went
 * @param copiesHeld the kinds of copies that stay because the stream is held
 */
public record FoundFate(
        long erased,
        long protectedErased,
        long bytes,
        @Nullable LeftOut left,
        int copiesErased,
        int copiesHeld) {

    /** The fate of an event to which nothing has happened. */
    public static final FoundFate NONE = new FoundFate(0, 0, 0, null, 0, 0);

    /** Returns the fate after the event has gone from the store once more. */
    public FoundFate erasedOnceMore(boolean isProtected, long size) {
        return new FoundFate(
                erased + 1, protectedErased + (isProtected ? 1 : 0), bytes + size, null, copiesErased, copiesHeld);
    }

    /** Returns the fate of an event that would go. A dry run may look at one event more than once. */
    public FoundFate wouldGo(boolean isProtected, long size) {
        return new FoundFate(1, isProtected ? 1 : 0, size, null, copiesErased, copiesHeld);
    }

    /** Returns the fate of an event that stays in the store, or is not there. */
    public FoundFate leftBy(LeftOut reason) {
        return new FoundFate(erased, protectedErased, bytes, reason, copiesErased, copiesHeld);
    }

    /** Returns the fate of an event that would stay, whatever was found before. */
    public FoundFate wouldStay(LeftOut reason) {
        return new FoundFate(0, 0, 0, reason, copiesErased, copiesHeld);
    }

    /** Returns the fate after a copy has gone, or would go. */
    public FoundFate copyErased(int kind) {
        return new FoundFate(erased, protectedErased, bytes, left, copiesErased | kind, copiesHeld & ~kind);
    }

    /** Returns the fate after a copy has to stay because of a hold. */
    public FoundFate copyHeld(int kind) {
        return new FoundFate(erased, protectedErased, bytes, left, copiesErased, copiesHeld | kind);
    }

    /** Returns true if bytes of the event have gone, or would go. */
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
                .toBytes();
    }

    static FoundFate decode(byte[] value) {
        ByteReader in = new ByteReader(value);
        long erased = in.readVarLong();
        long protectedErased = in.readVarLong();
        long bytes = in.readVarLong();
        String left = in.readText();
        return new FoundFate(
                erased,
                protectedErased,
                bytes,
                left.isEmpty() ? null : LeftOut.valueOf(left),
                in.readByte(),
                in.readByte());
    }
}
