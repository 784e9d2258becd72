package dev.ebb.domain.event;

import org.jspecify.annotations.Nullable;

/** The size of an event as caps, usage and reports count it. */
final class EventSize {

    private static final int FIXED_BYTES = 64;

    private EventSize() {}

    static long of(Event event) {
        long bytes = (long) FIXED_BYTES + event.payload().length;
        bytes += utf8(event.stream().value()) + utf8(event.id().value()) + utf8(event.type());
        bytes += utf8(event.status()) + utf8(event.correlationId()) + utf8(event.contentType());
        for (var entry : event.metadata().entrySet()) {
            bytes += utf8(entry.getKey()) + utf8(entry.getValue());
        }
        return bytes;
    }

    /** Returns the number of bytes of the text in UTF-8; 0 for null. */
    static long utf8(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        long bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                // A surrogate pair is two chars and four bytes, so each half adds one.
                bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
            }
        }
        return bytes;
    }
}
