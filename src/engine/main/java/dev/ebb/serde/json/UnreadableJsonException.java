package dev.ebb.serde.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;

/** Thrown for JSON from which no record can be made; the message is a sentence without a full stop. */
public final class UnreadableJsonException extends RuntimeException {

    private final String place;

    UnreadableJsonException(String message) {
        this(message, "");
    }

    private UnreadableJsonException(String message, String place) {
        super(message);
        this.place = place;
    }

    /**
     * Returns the exception for a failure of Jackson, with a message of its own where Jackson's would name places in an
     * unknown source.
     */
    static UnreadableJsonException of(JsonProcessingException e) {
        String reason = e instanceof JsonEOFException ? "it ends too early" : e.getOriginalMessage();
        return new UnreadableJsonException("it is not a JSON object: " + reason, place(e.getLocation()));
    }

    /** Returns the exception for a field that is there twice: its author may have meant either value. */
    static UnreadableJsonException namedTwice(String field) {
        return new UnreadableJsonException("it names " + field + " twice");
    }

    /** Returns this exception with a place in the text, unless it has one. */
    UnreadableJsonException at(JsonLocation location) {
        return place.isEmpty() ? new UnreadableJsonException(String.valueOf(getMessage()), place(location)) : this;
    }

    /** Returns the message and, where it is known, the place in the text. */
    public String messageWithPlace() {
        return getMessage() + place;
    }

    /** Omits the stack trace: there can be millions of such records, and their place in the code explains nothing. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    private static String place(JsonLocation location) {
        return location == null ? "" : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }
}
