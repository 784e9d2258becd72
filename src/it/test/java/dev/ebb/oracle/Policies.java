package dev.ebb.oracle;

import dev.ebb.oracle.World.Accepted;
import dev.ebb.oracle.World.Confirmation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;

/**
 * Policies in force at each moment, and the times from which holds had to win. A moment is the offset of the last
 * record that was accepted by then.
 */
final class Policies {

    private static final Map<String, GenericRecord> BUILT_IN = new HashMap<>();

    static {
        builtIn("*", "30d", null);
        builtIn("pattern:cache", "15m", "occurred");
        builtIn("pattern:session", "24h", "occurred");
        builtIn("pattern:keyvalue", "30d", "occurred");
        builtIn("pattern:timeseries", "90d", null);
        builtIn("pattern:graph", "unlimited", null);
        builtIn("pattern:vector", "90d", null);
        builtIn("pattern:object", "90d", null);
    }

    private static final long RECENT_MS = 60_000;

    private final List<Accepted> accepted;
    private final List<Confirmation> confirmations;

    /** The moments, and the version of all that was in force then: a file comes into force as a whole. */
    private final TreeMap<Long, Long> versions = new TreeMap<>();

    private final Map<Long, Map<String, Accepted>> states = new HashMap<>();
    private final Map<Long, Map<String, Rules>> rules = new HashMap<>();

    Policies(List<Accepted> accepted, List<Confirmation> confirmations) {
        this.accepted = accepted;
        this.confirmations = confirmations;
        versions.put(-1L, -1L);
        long version = -1;
        for (int i = 0; i < accepted.size(); i++) {
            Accepted record = accepted.get(i);
            version = Math.max(version, record.version());
            String next = i + 1 < accepted.size() ? accepted.get(i + 1).file() : "";
            if (record.file().isEmpty() || !record.file().equals(next)) {
                versions.put(record.offset(), version);
            }
        }
    }

    /** The last moment of all. */
    long newest() {
        return versions.lastKey();
    }

    /** The moments, the newest first, at which that was the version of all that was in force. */
    List<Long> under(long version) {
        return versions.descendingMap().entrySet().stream()
                .filter(moment -> moment.getValue() == version)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The version of all that was in force at that moment. */
    long version(long moment) {
        return versions.get(moment);
    }

    /** The moments, the newest first, that fit a decision of that time which names that version of that scope. */
    List<Long> candidates(String scope, long version, long atMs) {
        List<Long> possible = new ArrayList<>();
        for (long candidate : versions.descendingKeySet()) {
            Accepted last = state(candidate).get("last");
            Accepted record = state(candidate).get(scope);
            boolean isNamed =
                    version < 0 ? record == null || !isInForce(record) : record != null && record.version() == version;
            if (isNamed && (last == null || last.timestampMs() <= atMs)) {
                possible.add(candidate);
            }
        }
        return possible;
    }

    /** The moments that some instance may have gone by at that time: the one in force, and those just before it. */
    List<Long> recent(long atMs) {
        List<Long> recent = new ArrayList<>();
        for (long moment : versions.descendingKeySet()) {
            Accepted last = state(moment).get("last");
            boolean isLater = last != null && last.timestampMs() > atMs;
            if (!isLater) {
                recent.add(moment);
                if (last == null || last.timestampMs() < atMs - RECENT_MS) {
                    return recent;
                }
            }
        }
        return recent;
    }

    Rules rules(long moment, String stream) {
        return rules.computeIfAbsent(moment, any -> new HashMap<>())
                .computeIfAbsent(stream, any -> new Rules(layers(state(moment), stream)));
    }

    /** The cases whose holds cover the stream at that moment. */
    List<String> holds(long moment, String stream) {
        return state(moment).values().stream()
                .filter(record -> covers(record, stream))
                .map(Accepted::key)
                .distinct()
                .toList();
    }

    /** The holds that the partition had confirmed before that moment, and which nothing had released by then. */
    List<String> confirmedHolds(int partition, String stream, long atMs) {
        Map<String, Accepted> placed = new LinkedHashMap<>();
        for (Accepted record : accepted) {
            if (record.value() == null && record.timestampMs() <= atMs) {
                placed.remove(record.key());
            } else if (covers(record, stream) && confirmedAt(partition, record.offset()) < atMs) {
                placed.put(record.key(), record);
            }
        }
        return List.copyOf(placed.keySet());
    }

    private long confirmedAt(int partition, long offset) {
        return confirmations.stream()
                .filter(confirmation -> confirmation.partition() == partition && confirmation.offset() >= offset)
                .mapToLong(Confirmation::atMs)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private static boolean covers(Accepted record, String stream) {
        if (!record.key().startsWith("hold:") || record.value() == null) {
            return false;
        }
        String covers = Fields.text(record.value(), "covers");
        return covers.equals("*")
                || covers.equals("stream:" + stream)
                || covers.equals("namespace:" + Names.namespace(stream));
    }

    /** The last record of each key; under {@code last} the newest of all. */
    private Map<String, Accepted> state(long moment) {
        return states.computeIfAbsent(moment, any -> {
            Map<String, Accepted> state = new TreeMap<>();
            accepted.stream().filter(record -> record.offset() <= moment).forEach(record -> {
                state.put("last", record);
                state.put(record.key(), record);
            });
            return state;
        });
    }

    private static List<Rules.Layer> layers(Map<String, Accepted> state, String stream) {
        List<Rules.Layer> layers = new ArrayList<>();
        add(layers, state, "stream:" + stream);
        String namespace = "namespace:" + Names.namespace(stream);
        add(layers, state, namespace);
        Accepted named = state.get(namespace);
        if (named != null && isInForce(named) && named.value().get("pattern") != null) {
            add(layers, state, "pattern:" + Fields.text(named.value(), "pattern"));
        }
        add(layers, state, "*");
        return layers;
    }

    private static void add(List<Rules.Layer> layers, Map<String, Accepted> state, String scope) {
        Accepted record = state.get(scope);
        if (record != null && isInForce(record)) {
            layers.add(new Rules.Layer(scope, record.version(), record.value()));
        }
        if (BUILT_IN.containsKey(scope)) {
            layers.add(new Rules.Layer(scope, -1, BUILT_IN.get(scope)));
        }
    }

    private static boolean isInForce(Accepted record) {
        return record.value() != null && !Boolean.FALSE.equals(record.value().get("enabled"));
    }

    private static void builtIn(String scope, String maxAge, String anchor) {
        BUILT_IN.put(
                scope,
                new GenericRecordBuilder(Schemas.of("RetentionPolicy"))
                        .set("scope", scope)
                        .set("maxAge", maxAge)
                        .set("anchor", anchor)
                        .build());
    }
}
