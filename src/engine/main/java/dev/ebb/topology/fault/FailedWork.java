package dev.ebb.topology.fault;

import dev.ebb.store.layout.InputRecord;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Note of the work at which a stream thread failed, for the handler of the failure. Kafka Streams passes on only the
 * exception, which must not be wrapped, since some kinds are meant for Kafka Streams itself. Each thread knows only its
 * own last failure.
 */
public final class FailedWork {

    private static final int MOST_OF_KEY = 200;
    private static final ThreadLocal<@Nullable Noted> LAST = new ThreadLocal<>();

    private FailedWork() {}

    /**
     * Returns the work at which the current thread failed in this way, as the end of a sentence; null if none was
     * noted.
     *
     * @param failure the exception that was thrown, or one that has it as its cause
     */
    public static @Nullable String of(Throwable failure) {
        Noted noted = LAST.get();
        for (Throwable cause = failure; noted != null && cause != null; cause = cause.getCause()) {
            if (isSame(cause, noted.failure)) {
                return noted.what;
            }
        }
        return null;
    }

    /** Notes that the record could not be taken in. */
    public static void note(RuntimeException failure, InputRecord record) {
        String at = record.topic() + "-" + record.partition() + " offset " + record.offset();
        LAST.set(new Noted(failure, "taking in " + at + key(record.key())));
    }

    /** Notes that a sweep or a command failed in that partition. */
    public static void note(RuntimeException failure, int partition) {
        LAST.set(new Noted(failure, "sweeping or carrying out commands in partition " + partition));
    }

    private static String key(byte @Nullable [] key) {
        if (key == null) {
            return "";
        }
        String text = new String(key, StandardCharsets.UTF_8);
        return " of " + (text.length() > MOST_OF_KEY ? text.substring(0, MOST_OF_KEY) + "…" : text);
    }

    @SuppressWarnings("ReferenceEquality") // an equal exception belongs to another failure
    private static boolean isSame(Throwable one, Throwable other) {
        return one == other;
    }

    private record Noted(RuntimeException failure, String what) {}
}
