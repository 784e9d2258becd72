package dev.ebb.cli.demo;

import java.util.Comparator;

/** The identity of an event. */
record EventRef(String stream, String id) implements Comparable<EventRef> {

    private static final Comparator<EventRef> ORDER =
            Comparator.comparing(EventRef::stream).thenComparing(EventRef::id);

    @Override
    public int compareTo(EventRef other) {
        return ORDER.compare(this, other);
    }
}
