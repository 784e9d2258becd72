package dev.ebb.serde.schemas;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.Wait;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes a registry that is away from a bad record, for any deserializer. Only a schema that does not exist or is
 * not Avro makes a record bad; all other failures may pass, so the record waits. Stateless.
 */
public final class ReadFailure {

    /** The code for a missing schema in Confluent's API. */
    private static final String SCHEMA_NOT_FOUND = "40403";

    /** A wait for the registry; other deserializers do not name the schema. */
    private static final Wait REGISTRY = Wait.of("the registry");

    private ReadFailure() {}

    /** Returns true if the record may be readable later. */
    static boolean isTransient(Throwable failure) {
        return waitsFor(failure) != null;
    }

    /** Returns the wait of the record if it may be readable later; null if it is bad. */
    public static @Nullable Wait waitsFor(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SchemaPendingException pending) {
                return pending.waitsFor();
            }
            if (cause instanceof AuthenticationException || cause instanceof AuthorizationException) {
                return REGISTRY.because(Wait.Kind.NOT_ALLOWED, String.valueOf(failure.getMessage()));
            }
            if (cause instanceof RetriableException
                    || cause instanceof TimeoutException
                    || (cause instanceof IOException io && !isAboutContent(io))) {
                return REGISTRY.because(Wait.Kind.REGISTRY_AWAY, String.valueOf(failure.getMessage()));
            }
        }
        return null;
    }

    /** Returns the reason why the record is bad. */
    public static Rejection rejection(Throwable failure) {
        StringBuilder detail = new StringBuilder();
        boolean isUnknown = false;
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            isUnknown |= cause instanceof UnknownSchemaException || message.contains(SCHEMA_NOT_FOUND);
            if (detail.indexOf(message) < 0) {
                detail.append(detail.isEmpty() ? "" : ": ").append(message);
            }
        }
        return new Rejection(isUnknown ? RejectReason.UNKNOWN_SCHEMA : RejectReason.UNDECODABLE, detail.toString());
    }

    /**
     * Returns true if the content is bad: Avro reports bytes that end too early or make no sense, and Jackson reports a
     * schema that is not JSON, as an IOException.
     */
    private static boolean isAboutContent(IOException e) {
        StackTraceElement[] stack = e.getStackTrace();
        return e instanceof EOFException
                || e.getClass().getName().contains(".jackson.")
                || (stack.length > 0 && stack[0].getClassName().startsWith("org.apache.avro."));
    }
}
