package dev.ebb.store.events;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import dev.ebb.store.layout.ExecutionCodec;
import dev.ebb.store.layout.Retired;
import dev.ebb.store.state.Segment;
import org.jspecify.annotations.Nullable;

/**
 * An execution as it was when it, or an event of it, was removed: all that an undo needs to declare it again. Immutable.
 *
 * @param openSinceMs the time since which it had been at work, epoch milliseconds; 0 if it was terminal
 * @param parent the parent of its stream; null if it had none
 */
public record RemovedExecution(
        Execution execution, long openSinceMs, @Nullable StreamName parent) {

    /** Returns the execution as it is now; null if it was never declared. */
    static @Nullable RemovedExecution of(Segment segment) {
        Execution execution = segment.execution();
        return execution.isDeclared()
                ? new RemovedExecution(
                        execution, segment.openSinceMs(), segment.stream().parent())
                : null;
    }

    /** Returns the execution that a deleted stream has left behind; null if it was never declared. */
    public static @Nullable RemovedExecution of(Retired stream, Execution execution, long openSinceMs) {
        return execution.isDeclared() ? new RemovedExecution(execution, openSinceMs, stream.parent()) : null;
    }

    /** Returns its bytes, without its number. */
    public byte[] encode() {
        ByteWriter out = new ByteWriter(64);
        write(out);
        return out.toBytes();
    }

    /** Returns its bytes, its number first. */
    public byte[] encodeNumbered() {
        ByteWriter out = new ByteWriter(64).writeVarLong(execution.number());
        write(out);
        return out.toBytes();
    }

    private void write(ByteWriter out) {
        ExecutionCodec.write(execution, out);
        out.writeVarLong(openSinceMs).writeOptional(parent == null ? null : parent.value());
    }

    /** @throws RuntimeException if the bytes are not those of an execution */
    public static RemovedExecution decode(long number, byte[] value) {
        return read(number, new ByteReader(value));
    }

    /** @throws RuntimeException if the bytes are not those of a numbered execution */
    public static RemovedExecution decodeNumbered(byte[] value) {
        ByteReader in = new ByteReader(value);
        return read(in.readVarLong(), in);
    }

    private static RemovedExecution read(long number, ByteReader in) {
        Execution execution = ExecutionCodec.read(number, in);
        long openSinceMs = in.readVarLong();
        String parent = in.readOptional();
        return new RemovedExecution(execution, openSinceMs, parent == null ? null : new StreamName(parent));
    }
}
