package dev.ebb.model;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The retention model played in the simplest way that can be thought of: maps, full scans and no index. It shares the
 * values of the domain with the product, but none of its decisions.
 */
public final class RetentionModel {

    private static final long DAY = 24L * 60 * 60 * 1000;
    private static final long FOREVER = Long.MAX_VALUE;

    /** An event as the model keeps it. */
    public static final class Kept {
        public String id = "";
        public String stream = "";
        public String status;
        public String type = "";
        public long storedAt;
        public long seq;
        public long occurredAt;
        public Long completedAt;
        public OwnTtl ttl = OwnTtl.NONE;
        public Map<String, String> metadata = Map.of();
        public byte[] payload = {};
        public long size;
    }

    private final Map<String, Map<String, Kept>> streams = new TreeMap<>();
    private final Map<String, RetentionPolicy> policies = new HashMap<>();
    private final Map<String, Long> nextSeq = new HashMap<>();
    private final Map<String, Long> lastStored = new HashMap<>();
    private Set<String> terminal = Set.of("completed", "failed", "cancelled", "read");
    public long orphaned;
    public long replacedDue;

    public Map<String, Map<String, Kept>> streams() {
        return streams;
    }

    public void terminal(Set<String> statuses, long now) {
        terminal = statuses;
        for (Map<String, Kept> stream : streams.values()) {
            for (Kept kept : stream.values()) {
                if (isProtected(kept)) {
                    kept.completedAt = null;
                } else if (kept.completedAt == null) {
                    kept.completedAt = now;
                }
            }
        }
    }

    public void policy(RetentionPolicy policy) {
        policies.put(policy.scope().toString(), policy);
    }

    public void removePolicy(String scope) {
        policies.remove(scope);
    }

    public void event(Event event, long timestamp, long now) {
        String name = event.stream().value();
        Map<String, Kept> stream = streams.computeIfAbsent(name, key -> new LinkedHashMap<>());
        Kept old = stream.get(event.id().value());
        if (old != null && isDue(old, now)) {
            stream.remove(old.id);
            replacedDue++;
            old = null;
        }
        Kept kept = new Kept();
        kept.id = event.id().value();
        kept.stream = name;
        kept.type = event.type();
        kept.status = event.status() == null || event.status().isEmpty() ? null : event.status();
        kept.occurredAt = event.occurredAt() == null ? timestamp : event.occurredAt();
        kept.ttl = event.ttl();
        kept.metadata = event.metadata();
        kept.payload = event.payload();
        kept.size = event.sizeBytes();
        if (!isProtected(kept)) {
            boolean wasTerminal = old != null && !isProtected(old);
            kept.completedAt = event.completedAt() != null
                    ? event.completedAt()
                    : wasTerminal ? old.completedAt : Long.valueOf(timestamp);
        }
        if (old != null) {
            kept.storedAt = old.storedAt;
            kept.seq = old.seq;
        } else {
            kept.storedAt = Math.max(now, lastStored.getOrDefault(name, 0L));
            kept.seq = nextSeq.merge(name, 1L, Long::sum);
            lastStored.put(name, kept.storedAt);
        }
        stream.put(kept.id, kept);
    }

    public void update(EventUpdate update, long timestamp, long now) {
        Kept kept = streams.getOrDefault(update.stream().value(), Map.of())
                .get(update.id().value());
        if (kept == null || isDue(kept, now)) {
            orphaned++;
            return;
        }
        boolean wasProtected = isProtected(kept);
        long statusBytes = kept.status == null ? 0 : kept.status.length();
        long metadataBytes = bytes(kept.metadata);
        if (update.status() != null) {
            kept.status = update.status().isEmpty() ? null : update.status();
        }
        if (update.ttl() != null) {
            kept.ttl = update.ttl();
        }
        if (update.metadata() != null) {
            kept.metadata = update.metadata();
        }
        kept.size +=
                (kept.status == null ? 0 : kept.status.length()) - statusBytes + bytes(kept.metadata) - metadataBytes;
        if (isProtected(kept)) {
            kept.completedAt = null;
        } else if (update.completedAt() != null) {
            kept.completedAt = update.completedAt();
        } else if (wasProtected) {
            kept.completedAt = timestamp;
        }
    }

    /** Removes what must go at that time; returns the ids by cause, each as {@code stream|id}. */
    public Map<String, List<String>> sweep(long now) {
        return sweep(now, Set.of());
    }

    /** The same, but for streams that wait for something. */
    public Map<String, List<String>> sweep(long now, Set<String> waiting) {
        Map<String, List<String>> removed = new TreeMap<>();
        for (var entry : streams.entrySet()) {
            if (waiting.contains(entry.getKey())) {
                continue;
            }
            Map<String, Kept> stream = entry.getValue();
            for (Kept kept : inOrder(stream)) {
                if (isDue(kept, now)) {
                    boolean isOwn = kept.ttl.ttlSeconds() != null || kept.ttl.expiresAt() != null;
                    remove(stream, kept, isOwn ? "TTL" : "MAX_AGE", removed);
                }
            }
            for (Kept kept : inOrder(stream)) {
                if (isEligible(kept) && stream.size() > limit(kept.stream, RetentionPolicy::maxCount)) {
                    remove(stream, kept, "MAX_COUNT", removed);
                }
            }
            for (Kept kept : inOrder(stream)) {
                if (isEligible(kept) && size(stream) > limit(kept.stream, RetentionPolicy::maxBytes)) {
                    remove(stream, kept, "MAX_BYTES", removed);
                }
            }
        }
        streams.entrySet().stream().filter(entry -> entry.getValue().isEmpty()).forEach(entry -> {
            nextSeq.remove(entry.getKey());
            lastStored.remove(entry.getKey());
        });
        streams.values().removeIf(Map::isEmpty);
        return removed;
    }

    /** When the events that will fall due after that time do so. */
    public List<Long> dueAfter(long time) {
        return streams.values().stream()
                .flatMap(stream -> stream.values().stream())
                .filter(kept -> !isProtected(kept))
                .map(this::due)
                .filter(due -> due > time && due != FOREVER)
                .sorted()
                .toList();
    }

    public boolean isDue(Kept kept, long now) {
        return !isProtected(kept) && now > due(kept);
    }

    public boolean isProtected(Kept kept) {
        return kept.status != null && !terminal.contains(kept.status.toLowerCase(Locale.ROOT));
    }

    public boolean isInfinite(Kept kept) {
        return !isProtected(kept) && kept.ttl.noExpiration() && allowsInfinite(kept.stream);
    }

    public static long size(Map<String, Kept> stream) {
        return stream.values().stream().mapToLong(kept -> kept.size).sum();
    }

    private boolean isEligible(Kept kept) {
        return !isProtected(kept) && !isInfinite(kept);
    }

    private long due(Kept kept) {
        long anchor = anchor(kept);
        if (kept.ttl.expiresAt() == null && kept.ttl.ttlSeconds() == null) {
            return isInfinite(kept) ? FOREVER : plus(anchor, limit(kept.stream, RetentionPolicy::maxAge));
        }
        long asked = kept.ttl.expiresAt() != null ? kept.ttl.expiresAt() : plus(anchor, kept.ttl.ttlSeconds() * 1000);
        long min = limit(kept.stream, RetentionPolicy::minTtl);
        long max = limit(kept.stream, RetentionPolicy::maxTtl);
        if (min != FOREVER && asked < plus(anchor, min)) {
            asked = plus(anchor, min);
        }
        return asked > plus(anchor, max) ? plus(anchor, max) : asked;
    }

    private long anchor(Kept kept) {
        Object anchor = field(kept.stream, RetentionPolicy::anchor);
        String name = anchor == null ? "STORED" : anchor.toString();
        if (name.equals("OCCURRED")) {
            return kept.occurredAt;
        }
        return name.equals("COMPLETED") ? Objects.requireNonNull(kept.completedAt) : kept.storedAt;
    }

    private boolean allowsInfinite(String stream) {
        return Boolean.TRUE.equals(field(stream, RetentionPolicy::allowInfiniteTtl));
    }

    private long limit(String stream, Function<RetentionPolicy, Limit> field) {
        Limit limit = field(stream, field);
        return limit == null ? FOREVER : limit.value();
    }

    private <T> T field(String stream, Function<RetentionPolicy, T> field) {
        String namespace = stream.contains("/") ? stream.substring(0, stream.indexOf('/')) : "default";
        List<RetentionPolicy> layers = new ArrayList<>();
        add(layers, policies.get("stream:" + stream));
        RetentionPolicy named = policies.get("namespace:" + namespace);
        add(layers, named);
        if (named != null && !Boolean.FALSE.equals(named.enabled()) && named.pattern() != null) {
            add(layers, policies.get("pattern:" + named.pattern()));
            layers.add(builtInPattern(named.pattern()));
        }
        add(layers, policies.get("*"));
        layers.add(RetentionPolicy.of(dev.ebb.domain.policy.Scope.ALL)
                .maxAge(Limit.of(30 * DAY))
                .build());
        for (RetentionPolicy layer : layers) {
            T value = layer == null ? null : field.apply(layer);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    private static void add(List<RetentionPolicy> layers, RetentionPolicy policy) {
        if (policy != null && !Boolean.FALSE.equals(policy.enabled())) {
            layers.add(policy);
        }
    }

    private static RetentionPolicy builtInPattern(String name) {
        var policy = RetentionPolicy.of(dev.ebb.domain.policy.Scope.pattern(name));
        var occurred = dev.ebb.domain.event.Anchor.OCCURRED;
        return switch (name) {
            case "cache" ->
                policy.maxAge(Limit.of(15 * 60 * 1000)).anchor(occurred).build();
            case "session" -> policy.maxAge(Limit.of(DAY)).anchor(occurred).build();
            case "keyvalue" ->
                policy.maxAge(Limit.of(30 * DAY)).anchor(occurred).build();
            case "graph" -> policy.maxAge(Limit.NONE).build();
            case "timeseries", "vector", "object" ->
                policy.maxAge(Limit.of(90 * DAY)).build();
            default -> policy.build();
        };
    }

    private List<Kept> inOrder(Map<String, Kept> stream) {
        return stream.values().stream()
                .sorted(Comparator.<Kept>comparingLong(kept -> isProtected(kept) ? 0 : anchor(kept))
                        .thenComparingLong(kept -> kept.seq))
                .toList();
    }

    private static void remove(Map<String, Kept> stream, Kept kept, String cause, Map<String, List<String>> removed) {
        stream.remove(kept.id);
        removed.computeIfAbsent(cause, key -> new ArrayList<>()).add(kept.stream + "|" + kept.id);
    }

    private static long bytes(Map<String, String> metadata) {
        return metadata.entrySet().stream()
                .mapToLong(entry -> entry.getKey().length() + entry.getValue().length())
                .sum();
    }

    private static long plus(long time, long duration) {
        return duration == FOREVER ? FOREVER : time + duration;
    }
}
