package dev.ebb.domain.event;

/** The facts about an event that retention needs, and no others. */
public interface EventFacts {

    /** Returns true if the event's status protects it (M-3). */
    boolean isProtected();

    /** Returns the lifetime that its producer asks for. */
    OwnTtl ttl();

    /** Returns the time from which its age is counted, epoch milliseconds. */
    long anchorMs(Anchor anchor);

    /** Returns the size in bytes that counts against {@code maxBytes}. */
    long sizeBytes();
}
