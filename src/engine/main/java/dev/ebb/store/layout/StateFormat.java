package dev.ebb.store.layout;

import dev.ebb.domain.BuildVersion;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The format of the state, and the version that wrote it last. The record is kept in the state itself, so that it goes
 * wherever the state goes: into the changelog, to a standby, to an instance of another version. The shape of this
 * record is the one thing that never changes. A change of the meaning of other records, whatever their codec, raises
 * {@link #NUMBER}; a
 * version that cannot read these records then says so and leaves them as they are.
 *
 * @param number the number of the format, which counts up from 1
 * @param version the version of Ebb that wrote last
 */
public record StateFormat(int number, String version) {

    /** The key of the record, at which no stream and no other record of the state sorts. */
    public static final Bytes KEY = Bytes.wrap(new byte[] {UsageKeys.FORMAT});

    /** The format that this version writes. */
    private static final int NUMBER = 9;

    /**
     * The oldest format that this version can read: before the first release, that of this version alone. A version that
     * reads an older one raises the number before anything else, so there is no way back.
     */
    private static final int OLDEST = 9;

    /** Returns the format that this version writes. */
    public static StateFormat current() {
        return new StateFormat(NUMBER, BuildVersion.text());
    }

    /**
     * Claims a store for this version, before anything else in it is written.
     *
     * @param what the name of the store for the message
     * @throws StateFormatException if this version cannot read the store; nothing was changed
     */
    public static void claim(KeyValueStore<Bytes, byte[]> store, String what) {
        if (!current().equals(requireReadable(store, what))) {
            byte[] former = store.get(KEY);
            store.put(KEY, TakenIn.encode(current(), former == null ? Map.of() : TakenIn.decode(former)));
        }
    }

    /**
     * Returns the format that a store names; null if it names none.
     *
     * @param what the name of the store for the message
     * @throws StateFormatException if this version cannot read the store
     */
    public static @Nullable StateFormat requireReadable(KeyValueStore<Bytes, byte[]> store, String what) {
        byte[] bytes = store.get(KEY);
        StateFormat written = bytes == null ? null : decode(bytes);
        if (written != null) {
            written.requireReadable(what);
        }
        return written;
    }

    /**
     * Checks that this version can read the format.
     *
     * @param what the name of the state for the message
     * @throws StateFormatException if it cannot
     */
    public void requireReadable(String what) {
        if (number < OLDEST || number > NUMBER) {
            throw new StateFormatException(what + " was written by Ebb " + version + " in format " + number
                    + "; this is Ebb " + BuildVersion.text() + ", which reads " + readable()
                    + ", and has changed nothing."
                    + " Start a version that reads format " + number
                    + (number > NUMBER ? ", such as " + version + " or a newer one" : ", and then the versions between")
                    + ", or begin anew: with 'ebb dev --fresh' where it runs, else with another application.id and"
                    + " topics.prefix; docs/operations/upgrade.md says more");
        }
    }

    static String readable() {
        return OLDEST == NUMBER ? "format " + NUMBER : "formats " + OLDEST + " to " + NUMBER;
    }

    public byte[] encode() {
        return new ByteWriter(2 * Integer.BYTES + version.length())
                .writeInt(number)
                .writeText(version)
                .toBytes();
    }

    /** Reads the format; ignores anything that a later version appended to it. */
    static StateFormat decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        return new StateFormat(in.readInt(), in.readText());
    }
}
