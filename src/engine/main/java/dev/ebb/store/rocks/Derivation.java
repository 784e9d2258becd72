package dev.ebb.store.rocks;

import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Derives the index of a store from its records. The entries are written and removed with their record, and never reach
 * the changelog, since a restored record yields them again. Implementations are stateless; records and entries share
 * one space of keys.
 */
public interface Derivation {

    /** The derivation of a store whose records have no entries. */
    Derivation NONE = new Derivation() {

        @Override
        public boolean isLookup(byte[] key) {
            return false;
        }

        @Override
        public boolean isSource(byte[] key) {
            return false;
        }

        @Override
        public boolean mayChange(byte[] key) {
            return false;
        }

        @Override
        public void derive(byte[] key, byte[] value, Entries entries) {}
    };

    /** Returns true if the key belongs to an entry that is looked up by key alone and mostly is missing. */
    boolean isLookup(byte[] key);

    /** Returns true if records under this key have entries. */
    boolean isSource(byte[] key);

    /**
     * Returns true if another value under this key may have other entries, apart from look-ups. Such a record is read
     * before it is replaced, unless its look-ups are missing; other records are never read.
     */
    boolean mayChange(byte[] key);

    /** Passes all entries of the record to {@code entries}; none if the record has none. */
    void derive(byte[] key, byte[] value, Entries entries);

    /**
     * Passes on the changes of a record of the changelog that stands for several, and returns true; returns false if the
     * record is the change of its own key.
     *
     * @param change receives each key with its value, null for a removal
     */
    default boolean expand(byte[] key, byte @Nullable [] value, BiConsumer<byte[], byte @Nullable []> change) {
        return false;
    }

    /** Receives the derived entries. */
    @FunctionalInterface
    interface Entries {

        /** @param value makes the value under the key; not needed when entries are only removed */
        void add(byte[] key, Supplier<byte[]> value);
    }
}
