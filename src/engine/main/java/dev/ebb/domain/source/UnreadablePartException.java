package dev.ebb.domain.source;

/** Thrown when the key or the value of a record is not in its declared format; its message names no value. */
public final class UnreadablePartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final SourcePath.Root part;

    /** @param message the fault, as the end of a sentence that begins with the part; without any value */
    public UnreadablePartException(SourcePath.Root part, String message, Throwable cause) {
        super(message, cause);
        this.part = part;
    }

    SourcePath.Root part() {
        return part;
    }
}
