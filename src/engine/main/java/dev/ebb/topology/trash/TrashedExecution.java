package dev.ebb.topology.trash;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import dev.ebb.store.layout.ExecutionCodec;
import org.jspecify.annotations.Nullable;

/**
 * Execution in the trash.
 *
 * @param openSinceMs the time since which it has been at work, epoch milliseconds; 0 if it is terminal
 * @param parent the parent of its stream; null if it had none
 */
public record TrashedExecution(
        Execution execution, long openSinceMs, @Nullable StreamName parent) {

    byte[] encode() {
        ByteWriter out = new ByteWriter(64);
        ExecutionCodec.write(execution, out);
        return out.writeVarLong(openSinceMs)
                .writeOptional(parent == null ? null : parent.value())
                .toBytes();
    }

    /** @throws RuntimeException if the bytes are not those of an execution */
    public static TrashedExecution decode(long number, byte[] value) {
        ByteReader in = new ByteReader(value);
        Execution execution = ExecutionCodec.read(number, in);
        long openSinceMs = in.readVarLong();
        String parent = in.readOptional();
        return new TrashedExecution(execution, openSinceMs, parent == null ? null : new StreamName(parent));
    }
}
