package dev.ebb.topology.removal;

/**
 * Row of an event on the mirror topic.
 *
 * @param key its primary key
 * @param value the row
 */
public record MirrorRow(byte[] key, byte[] value) {

    /** The row of every event where the mirror topic is off. */
    static final MirrorRow NONE = new MirrorRow(new byte[0], new byte[0]);

    /** Returns its size, in bytes; 0 if there is none. */
    public int sizeBytes() {
        return key.length + value.length;
    }
}
