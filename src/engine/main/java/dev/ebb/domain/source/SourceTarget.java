package dev.ebb.domain.source;

/**
 * The consequence of a removal for the topic of the source.
 *
 * @param kind the kind of consequence
 * @param topic the topic of the tombstones; empty unless it is another topic than that of the source
 */
public record SourceTarget(Kind kind, String topic) {

    /** No consequence: Ebb alone forgets the event. */
    public static final SourceTarget NONE = new SourceTarget(Kind.NONE, "");

    /** Tombstones on the topic of the source. */
    public static final SourceTarget SAME = new SourceTarget(Kind.SAME, "");

    /** The beginning of a log moves up to its oldest event that must stay. */
    public static final SourceTarget TRUNCATE = new SourceTarget(Kind.TRUNCATE, "");

    /** Kinds of consequences. */
    public enum Kind {
        /** None. */
        NONE,
        /** Tombstones on the topic of the source. */
        SAME,
        /** Tombstones on another topic. */
        TOPIC,
        /** The beginning of a log moves. */
        TRUNCATE
    }

    public SourceTarget {
        if ((kind == Kind.TOPIC) == topic.isEmpty()) {
            throw new IllegalArgumentException("a topic belongs to TOPIC");
        }
    }

    /** Returns the target of tombstones on another topic. */
    public static SourceTarget of(String topic) {
        return new SourceTarget(Kind.TOPIC, topic);
    }

    /** Returns true if a removal writes tombstones. */
    public boolean hasTombstones() {
        return kind == Kind.SAME || kind == Kind.TOPIC;
    }

    /** Returns the target for people. */
    @Override
    public String toString() {
        return switch (kind) {
            case NONE -> "none";
            case SAME -> "tombstones: same";
            case TOPIC -> "tombstones: " + topic;
            case TRUNCATE -> "truncate";
        };
    }
}
