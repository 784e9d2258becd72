package dev.ebb.model;

import dev.ebb.domain.event.OwnTtl;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A stream as the model keeps it: a map of events and a map of declared executions; everything else is counted anew. */
public final class RetentionModelStream {

    /** An event as the model keeps it. */
    public static final class Kept {
        public String id = "";
        public String stream = "";
        public String status;
        public String type = "";
        public long execution;
        public long storedAt;
        public long seq;
        public long occurredAt;
        public Long completedAt;
        public OwnTtl ttl = OwnTtl.NONE;
        public Map<String, String> metadata = Map.of();
        public byte[] payload = {};
        public long size;

        /** True if the event's own status protects the event. */
        public boolean isPinned;

        /** A copy that changes by itself. */
        public Kept copy() {
            Kept copy = new Kept();
            copy.id = id;
            copy.stream = stream;
            copy.status = status;
            copy.type = type;
            copy.execution = execution;
            copy.storedAt = storedAt;
            copy.seq = seq;
            copy.occurredAt = occurredAt;
            copy.completedAt = completedAt;
            copy.ttl = ttl;
            copy.metadata = metadata;
            copy.payload = payload;
            copy.size = size;
            copy.isPinned = isPinned;
            return copy;
        }

        public boolean hasOwnTtl() {
            return ttl.ttlSeconds() != null || ttl.expiresAt() != null;
        }
    }

    /** A declared execution. */
    public static final class Declared {
        public long number;
        public String status = "";
        public boolean isTerminal;
        public Long startedAt;
        public Long completedAt;

        /** The last moment in which its end waits for events; 0 if it does not. */
        public long awaitsUntil;

        /** The parent of its stream when it was last written to the mirror. */
        public String parent;

        Declared copy() {
            Declared copy = new Declared();
            copy.number = number;
            copy.status = status;
            copy.isTerminal = isTerminal;
            copy.startedAt = startedAt;
            copy.completedAt = completedAt;
            copy.awaitsUntil = awaitsUntil;
            copy.parent = parent;
            return copy;
        }
    }

    public final String name;
    public final Map<String, Kept> events = new LinkedHashMap<>();
    public final TreeMap<Long, Declared> declared = new TreeMap<>();
    public String parent;

    /** The last millisecond of the notice under which an undo has put it; -1 if none has (T-3). */
    public long noticeUntil = -1;

    long nextSeq;
    long lastStored;

    public RetentionModelStream(String name) {
        this.name = name;
    }

    public String namespace() {
        return name.contains("/") ? name.substring(0, name.indexOf('/')) : "default";
    }

    public boolean isGone() {
        return events.isEmpty() && declared.isEmpty();
    }

    /** The numbers of all executions of which anything is known, 0 among them if it is declared or holds events. */
    public NavigableSet<Long> executions() {
        NavigableSet<Long> known = new TreeSet<>(declared.keySet());
        events.values().forEach(kept -> known.add(kept.execution));
        return known;
    }

    /** The executions that are not terminal. */
    public Set<Long> openExecutions() {
        Set<Long> open = new TreeSet<>(executions());
        open.removeIf(this::isTerminal);
        return open;
    }

    public boolean hasExecutions() {
        return executions().tailSet(1L).size() > 0;
    }

    /** The highest execution; -1 in a stream without executions. */
    public long current() {
        return hasExecutions() ? executions().last() : -1;
    }

    public boolean isTerminal(long execution) {
        Declared known = declared.get(execution);
        return known == null ? execution == 0 : known.isTerminal;
    }

    public boolean isProtected(Kept kept) {
        return kept.isPinned || !isTerminal(kept.execution);
    }

    public boolean isOpen() {
        return executions().stream().anyMatch(number -> !isTerminal(number))
                || events.values().stream().anyMatch(kept -> kept.isPinned);
    }

    public long size() {
        return events.values().stream().mapToLong(kept -> kept.size).sum();
    }

    public long protectedEvents() {
        return events.values().stream().filter(this::isProtected).count();
    }

    /** The latest completion of its executions, or without any of its events; -1 if nothing ever was completed. */
    public long completion() {
        if (hasExecutions() || !declared.isEmpty()) {
            return declared.values().stream()
                    .mapToLong(execution -> execution.completedAt == null ? -1 : execution.completedAt)
                    .max()
                    .orElse(-1);
        }
        return eventCompletion();
    }

    long eventCompletion() {
        return events.values().stream()
                .filter(kept -> kept.execution == 0 && kept.completedAt != null)
                .mapToLong(kept -> kept.completedAt)
                .max()
                .orElse(-1);
    }

    /** Time from which the age of the event counts. */
    public long anchor(Kept kept, RetentionModelRules rules) {
        Declared execution = kept.execution == 0 ? null : declared.get(kept.execution);
        return switch (rules.anchor()) {
            case OCCURRED -> kept.occurredAt;
            case STORED -> kept.storedAt;
            case COMPLETED -> {
                if (execution != null && execution.completedAt != null) {
                    yield execution.completedAt;
                }
                yield kept.completedAt == null ? kept.storedAt : kept.completedAt;
            }
        };
    }

    /** Its events in the order in which they may go (M-14). */
    public List<Kept> inOrder(RetentionModelRules rules) {
        List<Kept> all = new ArrayList<>(events.values());
        all.sort((one, other) -> {
            int byExecution = Long.compare(one.execution, other.execution);
            int byAnchor = Long.compare(anchor(one, rules), anchor(other, rules));
            int byArrival = Long.compare(one.seq, other.seq);
            return byExecution != 0 ? byExecution : byAnchor != 0 ? byAnchor : byArrival;
        });
        return all;
    }

    static boolean isPinned(String status, Set<String> terminal) {
        return status != null && !status.isEmpty() && !terminal.contains(status.toLowerCase(Locale.ROOT));
    }

    /** A numbered execution is done only by a declaration. */
    static boolean isDone(long number, String status, Set<String> terminal) {
        return status == null || status.isEmpty() ? number == 0 : !isPinned(status, terminal);
    }

    /** A copy of all of it that changes by itself. */
    public RetentionModelStream snapshot() {
        RetentionModelStream snapshot = new RetentionModelStream(name);
        events.forEach((id, kept) -> snapshot.events.put(id, kept.copy()));
        declared.forEach((number, execution) -> snapshot.declared.put(number, execution.copy()));
        snapshot.parent = parent;
        snapshot.noticeUntil = noticeUntil;
        snapshot.nextSeq = nextSeq;
        snapshot.lastStored = lastStored;
        return snapshot;
    }

    /** The place of the next event in the order of arrival. */
    public long nextSeq() {
        return nextSeq;
    }

    /** When its last event was stored. */
    public long lastStored() {
        return lastStored;
    }

    /** From now on nothing is stored with an earlier time. */
    public void storesFrom(long time) {
        lastStored = Math.max(lastStored, time);
    }

    /** A copy of what a sweep looks at; the events themselves are shared and must not be changed. */
    RetentionModelStream copy() {
        RetentionModelStream copy = new RetentionModelStream(name);
        copy.events.putAll(events);
        copy.declared.putAll(declared);
        copy.noticeUntil = noticeUntil;
        return copy;
    }
}
