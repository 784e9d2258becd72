package dev.ebb.store.state;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Counts the looks at executions of a stream in memory: work in slices must not look at all of them. */
public final class Looks {

    private long count;

    private Looks() {}

    /** Counts from now on; the stream must have executions. */
    @SuppressWarnings("unchecked")
    public static Looks at(StreamState stream) {
        Looks looks = new Looks();
        try {
            var segments = Executions.class.getDeclaredField("segments");
            segments.setAccessible(true);
            var known = (NavigableMap<Long, Segment>) segments.get(stream.executions());
            segments.set(stream.executions(), looks.new Counted(known));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
        return looks;
    }

    public long count() {
        return count;
    }

    /** Counts searches, and each execution of a walk. */
    private final class Counted extends TreeMap<Long, Segment> {

        private static final long serialVersionUID = 1;

        Counted(NavigableMap<Long, Segment> known) {
            super(known);
        }

        @Override
        public Segment get(Object number) {
            count++;
            return super.get(number);
        }

        @Override
        public NavigableMap<Long, Segment> subMap(Long from, boolean withFrom, Long to, boolean withTo) {
            return new Counted(super.subMap(from, withFrom, to, withTo));
        }

        @Override
        public Map.Entry<Long, Segment> ceilingEntry(Long number) {
            count++;
            return super.ceilingEntry(number);
        }

        @Override
        public Map.Entry<Long, Segment> lowerEntry(Long number) {
            count++;
            return super.lowerEntry(number);
        }

        @Override
        public Collection<Segment> values() {
            Collection<Segment> all = super.values();
            return new AbstractCollection<>() {
                @Override
                public Iterator<Segment> iterator() {
                    Iterator<Segment> each = all.iterator();
                    return new Iterator<>() {
                        @Override
                        public boolean hasNext() {
                            return each.hasNext();
                        }

                        @Override
                        public Segment next() {
                            count++;
                            return each.next();
                        }
                    };
                }

                @Override
                public int size() {
                    return all.size();
                }
            };
        }
    }
}
