package dev.ebb.store.rocks;

import java.util.function.Supplier;

/**
 * What the records of a store say of its index: the entries are written and removed with the record that they come from,
 * and never reach the changelog, since a restored record says the same again. Implementations are stateless; records and
 * entries share one space of keys.
 */
public interface Derivation {

    /** Of a store whose records have no entries. */
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

    /** Whether the key is that of an entry which is looked up by key alone and mostly is not there. */
    boolean isLookup(byte[] key);

    /** Whether records under this key have entries. */
    boolean isSource(byte[] key);

    /**
     * Whether another value under this key may have other entries, but for those that are looked up by key alone. Such a
     * record is read before it is replaced, which the others are spared, and so are those whose look-ups are not there.
     */
    boolean mayChange(byte[] key);

    /** Hands over all entries of the record; none if it has none. */
    void derive(byte[] key, byte[] value, Entries entries);

    /** Takes what was derived. */
    @FunctionalInterface
    interface Entries {

        /** @param value makes what lies under the key; who only takes entries away need not ask for it */
        void add(byte[] key, Supplier<byte[]> value);
    }
}
