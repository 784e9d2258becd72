package dev.ebb.oracle;

import dev.ebb.oracle.World.Accepted;
import dev.ebb.oracle.World.Confirmation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;

/** What was in force under which version, and from when on holds had to win. */
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

    /** The versions that can have been in force: a file as a whole is, no part of it. */
    private final TreeSet<Long> versions = new TreeSet<>();

    private final Map<Long, Map<String, Accepted>> states = new HashMap<>();
    private final Map<Long, Map<String, Rules>> rules = new HashMap<>();

    Policies(List<Accepted> accepted, List<Confirmation> confirmations) {
        this.accepted = accepted;
        this.confirmations = confirmations;
        versions.add(-1L);
        for (int i = 0; i < accepted.size(); i++) {
            Accepted record = accepted.get(i);
            String next = i + 1 < accepted.size() ? accepted.get(i + 1).file() : "";
            if (record.file().isEmpty() || !record.file().equals(next)) {
                versions.add(record.offset());
            }
        }
    }

    /** The newest version of all. */
    long newest() {
        return versions.last();
    }

    /**
     * The versions, the newest first, that can have been in force for a decision of that moment which names that version
     * of that scope.
     */
    List<Long> candidates(String scope, long version, long atMs) {
        List<Long> possible = new ArrayList<>();
        for (long candidate : versions.descendingSet()) {
            Accepted last = state(candidate).get("last");
            Accepted record = state(candidate).get(scope);
            boolean isNamed =
                    version < 0 ? record == null || !isInForce(record) : record != null && record.offset() == version;
            if (isNamed && (last == null || last.timestampMs() <= atMs)) {
                possible.add(candidate);
            }
        }
        return possible;
    }

    /** The versions that some instance may have gone by at that moment: the one in force, and those just before it. */
    List<Long> recent(long atMs) {
        List<Long> recent = new ArrayList<>();
        for (long version : versions.descendingSet()) {
            Accepted last = state(version).get("last");
            boolean isLater = last != null && last.timestampMs() > atMs;
            if (!isLater) {
                recent.add(version);
                if (last == null || last.timestampMs() < atMs - RECENT_MS) {
                    return recent;
                }
            }
        }
        return recent;
    }

    /** The newest version that a deletion can have gone by. */
    long versionAt(World.Change tombstone) {
        World.Reason reason = tombstone.reason();
        if (reason.cause().equals("TTL")) {
            return reason.policyVersion();
        }
        List<Long> possible = candidates(reason.scope(), reason.policyVersion(), tombstone.timestampMs());
        return possible.isEmpty() ? newest() : possible.get(0);
    }

    Rules rules(long version, String stream) {
        return rules.computeIfAbsent(version, any -> new HashMap<>())
                .computeIfAbsent(stream, any -> new Rules(layers(state(version), stream)));
    }

    /** The cases whose holds cover the stream under that version. */
    List<String> holds(long version, String stream) {
        return state(version).values().stream()
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

    private long confirmedAt(int partition, long version) {
        return confirmations.stream()
                .filter(confirmation -> confirmation.partition() == partition && confirmation.version() >= version)
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
    private Map<String, Accepted> state(long version) {
        return states.computeIfAbsent(version, any -> {
            Map<String, Accepted> state = new TreeMap<>();
            accepted.stream().filter(record -> record.offset() <= version).forEach(record -> {
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
            layers.add(new Rules.Layer(scope, record.offset(), record.value()));
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
