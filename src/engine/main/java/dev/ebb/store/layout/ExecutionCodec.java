package dev.ebb.store.layout;

import dev.ebb.domain.event.Execution;
import org.jspecify.annotations.Nullable;

/** The bytes of an execution, without its number. Stateless. */
public final class ExecutionCodec {

    private ExecutionCodec() {}

    public static void write(Execution execution, ByteWriter out) {
        out.writeByte(execution.isDeclared() ? 1 : 0);
        if (execution.isDeclared()) {
            out.writeText(String.valueOf(execution.status())).writeByte(execution.isTerminal() ? 1 : 0);
            writeTime(execution.startedAt(), out);
            writeTime(execution.completedAt(), out);
        }
    }

    public static Execution read(long number, ByteReader in) {
        return in.readByte() == 0
                ? Execution.undeclared(number)
                : new Execution(number, in.readText(), in.readByte() != 0, readTime(in), readTime(in));
    }

    private static void writeTime(@Nullable Long time, ByteWriter out) {
        out.writeByte(time == null ? 0 : 1);
        if (time != null) {
            out.writeLong(time);
        }
    }

    private static @Nullable Long readTime(ByteReader in) {
        return in.readByte() == 0 ? null : (Long) in.readLong();
    }
}
