package dev.ebb.domain.event;

/** The facts about an event that retention needs, and no others. */
public interface EventFacts {

    /** Returns true if the event's status protects it (M-3). */
    boolean isProtected();

    /** The wishes of its producer for its lifetime. */
    OwnTtl ttl();

    /** The time from which its age is counted, epoch milliseconds. */
    long anchorMs(Anchor anchor);

    /** Bytes that count against {@code maxBytes}. */
    long sizeBytes();
}
