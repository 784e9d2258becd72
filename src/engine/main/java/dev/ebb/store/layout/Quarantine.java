package dev.ebb.store.layout;

import dev.ebb.domain.Shortened;

/**
 * The reason why nothing is deleted from a stream until an operator has looked at it: work on the stream failed and
 * would fail again.
 *
 * @param reason the failure, for people; at most {@link #MOST_CHARACTERS} characters
 * @param sinceMs the time of the failure, epoch milliseconds
 */
public record Quarantine(String reason, long sinceMs) {

    /** The most characters of a reason: it is shown in tables and kept with the usage, which is written often. */
    public static final int MOST_CHARACTERS = 300;

    /** The most characters of the note at the end of a shortened text. */
    private static final int NOTE_CHARACTERS = 40;

    public Quarantine {
        reason = reason.length() <= MOST_CHARACTERS ? reason : Shortened.to(MOST_CHARACTERS - NOTE_CHARACTERS, reason);
    }

    public void encode(ByteWriter out) {
        out.writeText(reason).writeLong(sinceMs);
    }

    public static Quarantine decode(ByteReader in) {
        return new Quarantine(in.readText(), in.readLong());
    }
}
