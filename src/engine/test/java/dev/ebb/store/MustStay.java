package dev.ebb.store;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Finds in the simplest way what no retention may remove at a moment: what is held, protected or guarded (I-1). */
final class MustStay {

    private final StoreFixture fixture;
    private final Set<String> found = new TreeSet<>();

    private MustStay(StoreFixture fixture) {
        this.fixture = fixture;
    }

    /** Each as {@code stream|id}. */
    static Set<String> in(StoreFixture fixture) {
        MustStay mustStay = new MustStay(fixture);
        StoreProbe.streams(fixture.store).forEach(stream -> mustStay.look(stream.stream()));
        return mustStay.found;
    }

    private void look(StreamName name) {
        List<StoredEvent> events =
                fixture.reader().list(name, null, Integer.MAX_VALUE - 1).events();
        Map<Long, Execution> executions = new HashMap<>();
        fixture.reader().context(name).orElseThrow().executions().forEach(one -> executions.put(one.number(), one));
        EffectivePolicy policy = fixture.policies().effective(name);
        boolean isHeld = fixture.policies().isHeld(name);
        List<StoredEvent> eligible = new ArrayList<>();
        for (StoredEvent event : events) {
            boolean isOpen = isOpen(event, executions);
            boolean isInfinite = event.event().ttl().noExpiration()
                    && policy.allowInfiniteTtl().value();
            if (!isOpen && !isInfinite) {
                eligible.add(event);
            }
            if (isHeld || isOpen || isInfinite || isYoung(event, executions, policy)) {
                add(event);
            }
        }
        addLast(eligible, executions, policy);
    }

    private void addLast(List<StoredEvent> eligible, Map<Long, Execution> executions, EffectivePolicy policy) {
        if (policy.keepLast().value().isNone()) {
            return;
        }
        long last = policy.keepLast().value().value();
        if (executions.keySet().stream().allMatch(number -> number == 0)) {
            eligible.stream()
                    .sorted(Comparator.<StoredEvent>comparingLong(event -> anchor(event, executions, policy))
                            .thenComparingLong(StoredEvent::seq)
                            .reversed())
                    .limit(last)
                    .forEach(this::add);
            return;
        }
        Set<Long> newest = new TreeSet<>(executions.keySet().stream()
                .sorted(Comparator.reverseOrder())
                .limit(last)
                .toList());
        eligible.stream()
                .filter(event -> newest.contains(event.event().execution()))
                .forEach(this::add);
    }

    private void add(StoredEvent event) {
        found.add(event.event().stream() + "|" + event.event().id());
    }

    private static boolean isOpen(StoredEvent event, Map<Long, Execution> executions) {
        Execution execution = executions.get(event.event().execution());
        boolean isUnfinished = execution != null && !execution.isTerminal();
        return event.isProtected() || isUnfinished;
    }

    private boolean isYoung(StoredEvent event, Map<Long, Execution> executions, EffectivePolicy policy) {
        return !isOpen(event, executions)
                && !policy.minAge().value().isNone()
                && fixture.nowMs - anchor(event, executions, policy)
                        < policy.minAge().value().value();
    }

    private static long anchor(StoredEvent event, Map<Long, Execution> executions, EffectivePolicy policy) {
        Execution execution = executions.get(event.event().execution());
        boolean isOfExecution = event.event().execution() > 0 && execution != null && execution.completedAt() != null;
        return policy.anchor().value() == Anchor.COMPLETED && isOfExecution
                ? execution.completedAt()
                : event.anchorMs(policy.anchor().value());
    }
}
