package dev.ebb.sink;

import org.jspecify.annotations.Nullable;

/**
 * Walks over the changes of a block: a byte for its form, then for each change its time, its key and its row, as values
 * in the compact form. The row is null if it is deleted; a null value in a key has the value of the key before. A null
 * time means that the next value is the reason of the deletes; no column has either. Not thread-safe.
 */
final class Block {

    private static final byte FORM = 2;

    private final CompactValues values;
    private final CopyBuffer keyBytes = new CopyBuffer();
    private byte[] key = {FORM};
    private byte @Nullable [] row;

    /** @throws BadRowException if the block has another form */
    Block(byte[] block) throws BadRowException {
        values = new CompactValues(block, FORM);
    }

    static boolean isBlock(byte[] value) {
        return value.length > 0 && value[0] == FORM;
    }

    /** Moves to the next change; returns false if there is none. */
    boolean next() throws BadRowException {
        while (values.next()) {
            boolean isReason = values.isNull();
            require(values.next());
            if (!isReason) {
                key = values.keyAfter(key, keyBytes);
                require(values.next());
                row = values.isNull() ? null : values.row();
                return true;
            }
        }
        return false;
    }

    private static void require(boolean isThere) throws BadRowException {
        if (!isThere) {
            throw new BadRowException("it ends within a change");
        }
    }

    /** Returns the key in the form that it has in a record of its own. */
    byte[] key() {
        return key;
    }

    /** Returns the row in the form that it has in a record of its own; null if it is deleted. */
    byte @Nullable [] row() {
        return row;
    }
}
