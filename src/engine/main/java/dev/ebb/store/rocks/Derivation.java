package dev.ebb.store.rocks;

import java.util.function.Supplier;

/**
 * Derives the index of a store from its records: the entries are written and removed with the record that they come
 * from, and never reach the changelog, since a restored record gives them again. Implementations are stateless; records
 * and entries share one space of keys.
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

    /** Returns true if the key is that of an entry which is looked up by key alone and mostly is not there. */
    boolean isLookup(byte[] key);

    /** Returns true if records under this key have entries. */
    boolean isSource(byte[] key);

    /**
     * Returns true if another value under this key may have other entries, but for those that are looked up by key
     * alone. Such a record is read before it is replaced; the others are not read, nor are those whose look-ups are
     * missing.
     */
    boolean mayChange(byte[] key);

    /** Hands over all entries of the record; none if it has none. */
    void derive(byte[] key, byte[] value, Entries entries);

    /** Takes the derived entries. */
    @FunctionalInterface
    interface Entries {

        /** @param value makes the value under the key; need not be asked for when entries are only taken away */
        void add(byte[] key, Supplier<byte[]> value);
    }
}
