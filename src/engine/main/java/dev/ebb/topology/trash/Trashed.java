package dev.ebb.topology.trash;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.Deletion;

/**
 * Record of the trash that an undo means.
 *
 * @param key its key
 * @param deletion the account of its deletion
 * @param offset its offset, by which it is taken out
 * @param isSuperseded true if the undo also means a later deletion of the same id, which counts instead
 * @param isOfDeclared true for an event whose execution was declared
 * @param value the bytes of the deleted event or execution
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Trashed(
        TrashKey key, Deletion deletion, long offset, boolean isSuperseded, boolean isOfDeclared, byte[] value) {

    public StreamName stream() {
        return key.stream();
    }
}
