package dev.ebb.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Expected verdict of the brake on a change of policies (O-8, T-15): it waits if it may delete, and what the next sweep
 * would take under the new policies and not under the old ones is more than a share of what its scope holds, or than a
 * share of what a namespace holds, together with the deletes of the last hour. The brake does not look ahead here.
 */
public final class RetentionModelBrake {

    private static final long HOUR = 3_600_000;
    private static final long MINUTE = 60_000;

    /** Longest time between a question of the brake and the tick in which its verdict is seen. */
    private static final long EDGE = 15_000;

    private final int sharePercent;
    private final long minimumEvents;
    private final List<Spent> spent = new ArrayList<>();

    public RetentionModelBrake(int sharePercent, long minimumEvents) {
        this.sharePercent = sharePercent;
        this.minimumEvents = minimumEvents;
    }

    /** Deletes of a change that came into force unconfirmed. */
    private record Spent(long atMs, String namespace, long events, long stored) {}

    /**
     * Returns true if the change must wait for a confirmation. One that need not is in force from now on.
     *
     * @param names all streams that there could be
     * @param isHeldBack the verdict of the brake, which counts where an hour has just passed since earlier deletes
     */
    public boolean holdsBack(
            RetentionModel model, RetentionModelPolicies after, List<String> names, long now, boolean isHeldBack) {
        RetentionModelPolicies before = model.policies();
        boolean canDeleteMore = names.stream().anyMatch(name -> isLooser(before, after, name));
        if (!canDeleteMore) {
            return false;
        }
        long wouldDelete = 0;
        long stored = 0;
        Map<String, Long> lost = new TreeMap<>();
        Map<String, Long> held = new TreeMap<>();
        var changed = after.changed(before);
        for (RetentionModelStream stream : model.streams().values()) {
            boolean isInScope = changed.stream()
                    .anyMatch(scope -> before.applies(scope, stream.name) || after.applies(scope, stream.name));
            stored += isInScope ? stream.events.size() : 0;
            long more = after.differFor(stream.name, before) ? more(stream, before, after, now) : 0;
            wouldDelete += more;
            String namespace = RetentionModelPolicies.namespace(stream.name);
            lost.merge(namespace, more, Long::sum);
            held.merge(namespace, (long) stream.events.size(), Long::sum);
        }
        boolean isTooMuch = wouldDelete > allowed(stored);
        boolean withLess = isTooMuch || isBeyond(lost, held, now - HOUR + EDGE);
        boolean withMore = isTooMuch || isBeyond(lost, held, now - HOUR - MINUTE - EDGE);
        boolean holds = withLess == withMore ? withLess : isHeldBack;
        if (!holds) {
            lost.forEach((namespace, events) -> spend(now, namespace, events, held.get(namespace)));
        }
        return holds;
    }

    private void spend(long now, String namespace, long events, long stored) {
        if (events > 0) {
            spent.add(new Spent(now, namespace, events, stored));
        }
    }

    private boolean isBeyond(Map<String, Long> lost, Map<String, Long> held, long sinceMs) {
        return lost.entrySet().stream().anyMatch(loss -> {
            long events = loss.getValue();
            long stored = held.get(loss.getKey());
            for (Spent earlier : spent) {
                if (earlier.namespace.equals(loss.getKey()) && earlier.atMs > sinceMs) {
                    events += earlier.events;
                    stored = Math.max(stored, earlier.stored);
                }
            }
            return loss.getValue() > 0 && events > allowed(stored);
        });
    }

    private long allowed(long stored) {
        return Math.max(minimumEvents, stored * sharePercent / 100);
    }

    private static boolean isLooser(RetentionModelPolicies before, RetentionModelPolicies after, String name) {
        return (before.isHeld(name) && !after.isHeld(name)) || after.rules(name).isLooserThan(before.rules(name));
    }

    private static long more(
            RetentionModelStream stream, RetentionModelPolicies before, RetentionModelPolicies after, long now) {
        Set<String> taken = taken(stream, after, now);
        taken.removeAll(taken(stream, before, now));
        return taken.size();
    }

    private static Set<String> taken(RetentionModelStream stream, RetentionModelPolicies policies, long now) {
        Set<String> ids = new TreeSet<>();
        if (policies.rules(stream.name).isEnforced()) {
            RetentionModelSweep.of(stream, policies, now).gone().forEach(gone -> ids.add(gone.event().id));
        }
        return ids;
    }
}
