package dev.ebb.store.rocks;

import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/** What a {@link DerivingStore} reads and writes while it changes records with their entries. Used under its lock. */
interface Changes {

    /** Null if the key is not there. */
    byte @Nullable [] get(Bytes key);

    /** Whether the key, which is looked up by itself alone, is certainly not there; false says nothing. */
    boolean isAbsent(Bytes lookup);

    void put(Bytes key, byte[] value);

    void delete(Bytes key);
}
