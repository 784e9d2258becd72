package dev.ebb.domain.event;

/** What retention has to know of an event, and all it has to know. */
public interface EventFacts {

    /** Whether its status protects it (M-3). */
    boolean isProtected();

    /** What its producer asked for its lifetime. */
    OwnTtl ttl();

    /** The time its age counts from, epoch milliseconds. */
    long anchorMs(Anchor anchor);

    /** What it counts against {@code maxBytes}. */
    long sizeBytes();
}
