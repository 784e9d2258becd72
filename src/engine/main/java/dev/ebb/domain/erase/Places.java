package dev.ebb.domain.erase;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Every place where bytes of erased events may remain. All times are counted from the end of the erasure. Stateless.
 */
public final class Places {

    private static final String WHOLE = "whole events";
    private static final String NAMES = "names of streams and ids of events";

    /** Places that no setting of Kafka or Ebb bounds. */
    private static final List<RemainingPlace> UNBOUNDED = List.of(
            new RemainingPlace(
                    "files of the state, of standby copies too",
                    WHOLE,
                    null,
                    "none: RocksDB drops deleted entries when it compacts their files; an instance that starts with an"
                            + " empty state.dir, once the changelogs have none of them, has none either"),
            new RemainingPlace(
                    "SQL: dead rows, write-ahead log",
                    WHOLE,
                    null,
                    "autovacuum_vacuum_threshold and autovacuum_vacuum_scale_factor of table event, or VACUUM;"
                            + " wal_keep_size"),
            new RemainingPlace(
                    "SQL: table retention_audit", NAMES, null, "none: its rows stay until they are deleted by hand"),
            new RemainingPlace(
                    "SQL: log of the server",
                    NAMES,
                    null,
                    "none of Ebb's: the rotation of the log; it names the keys of rows that it refuses"),
            new RemainingPlace(
                    "policies of single streams: their topics and SQL table retention_policy",
                    "names of streams",
                    null,
                    "none: 'ebb policy delete stream:NAME --reason …' removes one, and compaction its records"),
            new RemainingPlace("log of Ebb", NAMES, null, "none of Ebb's: the rotation of the log"),
            new RemainingPlace(
                    "receipts and files of plans", NAMES, null, "none: they belong to those who asked for them"),
            new RemainingPlace("heap dumps of Ebb", WHOLE, null, "none: each lies where the JVM was told to write it"),
            new RemainingPlace(
                    "backups, other readers of the topics, logs of producers",
                    WHOLE,
                    null,
                    "none of Ebb's: it does not know them"));

    private Places() {}

    /**
     * Kinds of topics by the part of erased events that they may hold.
     *
     * @param whole topics with whole events
     * @param named topics with names of streams and ids of events
     * @param asked topics with the conditions of the erasure
     */
    public record Topics(List<String> whole, List<String> named, List<String> asked) {

        /** Returns all topics. */
        public List<String> all() {
            List<String> all = new ArrayList<>(whole);
            all.addAll(named);
            all.addAll(asked);
            return all;
        }
    }

    /**
     * Returns the places, bounded by the settings of the topics.
     *
     * @param settings the settings in the broker, by topic; a topic without settings does not exist and is no place
     * @param rest bytes that the erasure could not examine
     * @param erasedMs the time at which the erasure ended, epoch milliseconds
     */
    public static List<RemainingPlace> of(
            Topics topics, Map<String, TopicSettings> settings, EraseRest rest, long erasedMs) {
        List<RemainingPlace> places = new ArrayList<>();
        add(places, topics.whole(), WHOLE, settings, erasedMs);
        add(places, topics.named(), NAMES, settings, erasedMs);
        add(places, topics.asked(), "the conditions of the erasure", settings, erasedMs);
        places.addAll(rest.places(settings, erasedMs));
        places.addAll(UNBOUNDED);
        return places;
    }

    private static void add(
            List<RemainingPlace> places,
            List<String> topics,
            String content,
            Map<String, TopicSettings> settings,
            long erasedMs) {
        for (String topic : topics) {
            TopicSettings known = settings.get(topic);
            if (known != null) {
                places.add(known.place(topic, content, erasedMs));
            }
        }
    }
}
