package dev.ebb.model;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Expected verdict of the brake on a change of policies (O-8): it waits if it may delete, and what the next sweep
 * would take under the new policies and not under the old ones is more than a share of what its scope holds.
 */
public final class RetentionModelBrake {

    private final int sharePercent;
    private final long minimumEvents;

    public RetentionModelBrake(int sharePercent, long minimumEvents) {
        this.sharePercent = sharePercent;
        this.minimumEvents = minimumEvents;
    }

    /**
     * Returns true if the change must wait for a confirmation.
     *
     * @param names all streams that there could be
     */
    public boolean holdsBack(RetentionModel model, RetentionModelPolicies after, List<String> names, long now) {
        RetentionModelPolicies before = model.policies();
        boolean canDeleteMore = names.stream().anyMatch(name -> isLooser(before, after, name));
        if (!canDeleteMore) {
            return false;
        }
        long wouldDelete = 0;
        long stored = 0;
        var changed = after.changed(before);
        for (RetentionModelStream stream : model.streams().values()) {
            boolean isInScope = changed.stream()
                    .anyMatch(scope -> before.applies(scope, stream.name) || after.applies(scope, stream.name));
            stored += isInScope ? stream.events.size() : 0;
            wouldDelete += after.differFor(stream.name, before) ? more(stream, before, after, now) : 0;
        }
        return wouldDelete > Math.max(minimumEvents, stored * sharePercent / 100);
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
