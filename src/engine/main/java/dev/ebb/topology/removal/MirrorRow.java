package dev.ebb.topology.removal;

/**
 * Row of the SQL mirror.
 *
 * @param key its primary key
 * @param value the row
 */
public record MirrorRow(byte[] key, byte[] value) {

    public int sizeBytes() {
        return key.length + value.length;
    }
}
