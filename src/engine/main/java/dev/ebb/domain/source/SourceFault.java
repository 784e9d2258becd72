package dev.ebb.domain.source;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;

/**
 * The reason why a record of a source is no event. Names the place, the path and the type that was found, and never a
 * value (F-11).
 *
 * @param reason {@code SOURCE_PATH}, {@code SOURCE_TYPE}, {@code SOURCE_NAME} or {@code SOURCE_CONVERTER}
 * @param source the name of the source
 * @param at the place of the record, such as {@code shop.orders-3@1204}
 * @param path the path, or the part of the record
 * @param message the fault, as the end of a sentence that begins with the path
 */
public record SourceFault(RejectReason reason, String source, String at, String path, String message) {

    /** Returns the reason as the rejected topic has it. */
    public Rejection rejection() {
        return new Rejection(reason, toString());
    }

    /** Returns the fault in one sentence. */
    @Override
    public String toString() {
        return "source " + source + ", " + at + ": " + path + " " + message;
    }
}
