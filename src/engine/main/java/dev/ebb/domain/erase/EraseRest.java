package dev.ebb.domain.erase;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that an erasure could not examine; they may belong to a matching event.
 *
 * @param waiting records that wait to be taken in, by partition
 * @param unread damaged copies, by topic and partition
 * @param rejected rejected records, by partition: no tombstone reaches them, so they stay until their topic lets them go
 */
public record EraseRest(List<Waiting> waiting, List<Unread> unread, List<Rejected> rejected) {

    private static final String WHOLE = "whole events";
    private static final String UNKNOWN_RETENTION = "retention.ms of the topic, which is not known";

    /** Everything was examined. */
    public static final EraseRest NOTHING = new EraseRest(List.of(), List.of(), List.of());

    public EraseRest {
        waiting = List.copyOf(waiting);
        unread = List.copyOf(unread);
        rejected = List.copyOf(rejected);
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
            return topic + "-" + partition + ", " + EraseRest.offsets(copies, offsets);
        }
    }

    /**
     * Rejected records of streams that the erasure may concern.
     *
     * @param matching number of the records with an event, or a change to one, that matches
     * @param offsets the offsets of the first of them, at most {@link Unread#MOST_OFFSETS}
     * @param unread number of the records that cannot be read, and may match
     */
    public record Rejected(String topic, int partition, long matching, List<Long> offsets, long unread) {

        public Rejected {
            offsets = List.copyOf(offsets);
        }

        List<RemainingPlace> places(@Nullable TopicSettings known, long erasedMs) {
            List<RemainingPlace> places = new ArrayList<>();
            if (matching > 0) {
                String name = topic + "-" + partition + ", rejected records that match: "
                        + EraseRest.offsets(matching, offsets);
                places.add(place(name, known, erasedMs));
            }
            if (unread > 0) {
                String name = topic + "-" + partition + ", rejected records that cannot be read: " + unread;
                places.add(place(name, known, erasedMs));
            }
            return places;
        }

        private static RemainingPlace place(String name, @Nullable TopicSettings known, long erasedMs) {
            return known == null
                    ? new RemainingPlace(name, WHOLE, null, UNKNOWN_RETENTION)
                    : known.placeByAge(name, WHOLE, erasedMs);
        }
    }

    private static String offsets(long records, List<Long> offsets) {
        long others = records - offsets.size();
        String more = others > 0 ? " and " + others + " others" : "";
        String which = String.join(", ", offsets.stream().map(String::valueOf).toList());
        return (records == 1 ? "offset " : "offsets ") + which + more;
    }

    /** Returns the number of waiting records. */
    public long waitingRecords() {
        return waiting.stream().mapToLong(Waiting::records).sum();
    }

    /** Returns the number of copies that cannot be read. */
    public long unreadCopies() {
        return unread.stream().mapToLong(Unread::copies).sum();
    }

    /** Returns the number of rejected records that match. */
    public long rejectedRecords() {
        return rejected.stream().mapToLong(Rejected::matching).sum();
    }

    /** Returns the number of rejected records that cannot be read. */
    public long unreadRejected() {
        return rejected.stream().mapToLong(Rejected::unread).sum();
    }

    /** Returns the sum of this rest and that of other partitions. */
    public EraseRest plus(EraseRest other) {
        List<Waiting> allWaiting = new ArrayList<>(waiting);
        allWaiting.addAll(other.waiting);
        allWaiting.sort(Comparator.comparingInt(Waiting::partition));
        List<Unread> allUnread = new ArrayList<>(unread);
        allUnread.addAll(other.unread);
        allUnread.sort(Comparator.comparing(Unread::topic).thenComparingInt(Unread::partition));
        List<Rejected> allRejected = new ArrayList<>(rejected);
        allRejected.addAll(other.rejected);
        allRejected.sort(Comparator.comparingInt(Rejected::partition));
        return new EraseRest(allWaiting, allUnread, allRejected);
    }

    /** Returns the places of these bytes. */
    List<RemainingPlace> places(Map<String, TopicSettings> settings, long erasedMs) {
        List<RemainingPlace> places = new ArrayList<>();
        for (Unread one : unread) {
            TopicSettings known = settings.get(one.topic());
            places.add(
                    known == null ? lost(one) : known.placeByAge(one.place(), "copies that cannot be read", erasedMs));
        }
        rejected.forEach(one -> places.addAll(one.places(settings.get(one.topic()), erasedMs)));
        for (Waiting one : waiting) {
            places.add(new RemainingPlace(
                    "partition " + one.partition() + ", records that wait to be taken in: " + one.records() + " of "
                            + one.streams() + (one.streams() == 1 ? " stream" : " streams"),
                    WHOLE,
                    null,
                    "'ebb parked list' shows the reasons; then 'ebb parked retry' and another erasure, or 'ebb"
                            + " parked drop'"));
        }
        return places;
    }

    private static RemainingPlace lost(Unread one) {
        return new RemainingPlace(one.place(), "copies that cannot be read", null, UNKNOWN_RETENTION);
    }
}
