package dev.ebb.store.plan;

import dev.ebb.store.layout.Range;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;

/**
 * The keys in {@link Range#PLANNED}: the id of a plan, or of the command that works there, followed by the kind of the
 * entry.
 */
public final class PlanKeys {

    private PlanKeys() {}

    /** Returns the key of an entry. No id contains a control character, so the byte after the id ends it. */
    public static Bytes of(String id, byte kind, byte[] rest) {
        byte[] owner = id.getBytes(StandardCharsets.UTF_8);
        return Bytes.wrap(ByteBuffer.allocate(1 + owner.length + 2 + rest.length)
                .put(Range.PLANNED.code())
                .put(owner)
                .put((byte) 0)
                .put(kind)
                .put(rest)
                .array());
    }

    /** Returns the bytes of an entry's key after its kind. */
    public static byte[] rest(String id, Bytes key) {
        int from = of(id, (byte) 0, new byte[0]).get().length;
        return Arrays.copyOfRange(key.get(), from, key.get().length);
    }
}
