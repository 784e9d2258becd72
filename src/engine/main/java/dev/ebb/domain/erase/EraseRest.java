package dev.ebb.domain.erase;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Bytes that an erasure could not examine; they may belong to a matching event.
 *
 * @param waiting records that wait to be taken in, by partition
 * @param unread damaged copies, by topic and partition
 */
public record EraseRest(List<Waiting> waiting, List<Unread> unread) {

    /** Everything was examined. */
    public static final EraseRest NOTHING = new EraseRest(List.of(), List.of());

    public EraseRest {
        waiting = List.copyOf(waiting);
        unread = List.copyOf(unread);
    }

    /**
     * Records that wait to be taken in, of streams that the erasure may concern.
     *
     * @param streams number of their streams
     * @param records number of the records
     */
    public record Waiting(int partition, long streams, long records) {}

    /**
     * Copies that cannot be read.
     *
     * @param copies number of the copies
     * @param offsets the offsets of the first copies, at most {@link #MOST_OFFSETS}
     */
    public record Unread(String topic, int partition, long copies, List<Long> offsets) {

        /** Maximum number of offsets that are named. */
        public static final int MOST_OFFSETS = 10;

        public Unread {
            offsets = List.copyOf(offsets);
        }

        /** Returns the name of the place of the copies. */
        String place() {
            long others = copies - offsets.size();
            String more = others > 0 ? " and " + others + " others" : "";
            String which =
                    String.join(", ", offsets.stream().map(String::valueOf).toList());
            return topic + "-" + partition + ", " + (copies == 1 ? "offset " : "offsets ") + which + more;
        }
    }

    public boolean isEmpty() {
        return waiting.isEmpty() && unread.isEmpty();
    }

    /** Returns the number of waiting records. */
    public long waitingRecords() {
        return waiting.stream().mapToLong(Waiting::records).sum();
    }

    /** Returns the number of copies that cannot be read. */
    public long unreadCopies() {
        return unread.stream().mapToLong(Unread::copies).sum();
    }

    /** Returns the sum of this rest and that of other partitions. */
    public EraseRest plus(EraseRest other) {
        List<Waiting> allWaiting = new ArrayList<>(waiting);
        allWaiting.addAll(other.waiting);
        allWaiting.sort(Comparator.comparingInt(Waiting::partition));
        List<Unread> allUnread = new ArrayList<>(unread);
        allUnread.addAll(other.unread);
        allUnread.sort(Comparator.comparing(Unread::topic).thenComparingInt(Unread::partition));
        return new EraseRest(allWaiting, allUnread);
    }

    /** Returns the places of these bytes. */
    List<Place> places(Map<String, TopicSettings> settings, long erasedMs) {
        List<Place> places = new ArrayList<>();
        for (Unread one : unread) {
            TopicSettings known = settings.get(one.topic());
            places.add(
                    known == null ? lost(one) : known.placeByAge(one.place(), "copies that cannot be read", erasedMs));
        }
        for (Waiting one : waiting) {
            places.add(new Place(
                    "partition " + one.partition() + ", records that wait to be taken in: " + one.records() + " of "
                            + one.streams() + (one.streams() == 1 ? " stream" : " streams"),
                    "whole events",
                    null,
                    "'ebb parked list' shows the reasons; then 'ebb parked retry' and another erasure, or 'ebb"
                            + " parked drop'"));
        }
        return places;
    }

    private static Place lost(Unread one) {
        return new Place(
                one.place(), "copies that cannot be read", null, "retention.ms of the topic, which is not known");
    }
}
