package dev.ebb.plan;

import dev.ebb.api.peers.Gathering.Gathered;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.source.Source;
import dev.ebb.port.StatusView;
import dev.ebb.port.StatusView.BrakeView;
import dev.ebb.wire.forecast.AmountView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Adds up the deletes of a dry run, and compares them with the stored events. Used once. */
final class PlannedSums {

    private final String planId;
    private final @Nullable CommandResult result;
    private final List<Source> sources;
    private final Outcome.@Nullable Swept swept;
    private final Map<String, Map<String, AmountView>> causes = new TreeMap<>();

    /**
     * @param result the result; null if there is none yet
     * @param sources the sources that are in force with the file
     */
    PlannedSums(String planId, @Nullable CommandResult result, List<Source> sources) {
        this.planId = planId;
        this.sources = sources;
        this.result = result;
        this.swept = result != null && result.outcome() instanceof Outcome.Swept sweep ? sweep : null;
        if (swept != null) {
            Outcome.Parts parts = swept.parts();
            parts.biggest()
                    .forEach(part ->
                            add(new StreamName(part.stream()).namespace(), part.cause(), part.events(), part.bytes()));
            parts.rest().forEach(rest -> add(rest.namespace(), rest.cause(), rest.events(), rest.bytes()));
        }
    }

    private void add(String namespace, RemovalCause cause, long events, long bytes) {
        causes.computeIfAbsent(namespace, name -> new TreeMap<>())
                .merge(cause.name(), new AmountView(events, bytes), AmountView::plus);
    }

    PolicyPlanView view(Gathered<StatusView> instances) {
        Map<String, AmountView> stored = stored(instances.answers());
        BrakeView brake = instances.answers().get(0).policies().brake();
        BrakeLimits limits = brake.limits();
        AmountView all = stored.values().stream().reduce(AmountView.NOTHING, AmountView::plus);
        AmountView deleted = deleted();
        List<PolicyPlanView.NamespaceView> namespaces = namespaces(stored, limits);
        AmountView named = namespaces.stream()
                .map(PolicyPlanView.NamespaceView::wouldDelete)
                .reduce(AmountView.NOTHING, AmountView::plus);
        CommandResult known = result;
        PlanOutcome plan = known == null ? null : known.plan();
        return new PolicyPlanView(
                planId,
                known == null
                        ? CommandResult.State.RUNNING.name()
                        : known.state().name(),
                swept == null ? null : swept.sweepPoint(),
                plan == null ? null : plan.expiresAt(),
                swept == null ? null : (Long) swept.policyVersion(),
                new PolicyPlanView.GoingView(
                        deleted.events(),
                        deleted.bytes(),
                        swept == null ? 0 : swept.rowsWouldGo(),
                        swept == null ? List.of() : PlannedTombstones.of(swept, sources)),
                all,
                share(deleted, all),
                new PolicyPlanView.BrakeView(
                        limits.isOn(),
                        limits.sharePercent(),
                        limits.minimumEvents(),
                        limits.horizonMs(),
                        known == null ? "" : known.detail(),
                        swept != null && swept.heldBack(),
                        allowed(limits, all)),
                namespaces,
                deleted.events() > named.events()
                        ? new AmountView(deleted.events() - named.events(), deleted.bytes() - named.bytes())
                        : null,
                instances.unanswered());
    }

    private AmountView deleted() {
        Outcome.Deleted planned = swept == null ? Outcome.Deleted.NOTHING : swept.deletions();
        return new AmountView(planned.eventsDeleted(), planned.bytesDeleted());
    }

    private List<PolicyPlanView.NamespaceView> namespaces(Map<String, AmountView> stored, BrakeLimits limits) {
        List<PolicyPlanView.NamespaceView> views = new ArrayList<>();
        causes.forEach((name, byCause) -> {
            AmountView sum = byCause.values().stream().reduce(AmountView.NOTHING, AmountView::plus);
            AmountView held = stored.getOrDefault(name, AmountView.NOTHING);
            views.add(new PolicyPlanView.NamespaceView(
                    name, sum, held, share(sum, held), allowed(limits, held), byCause));
        });
        views.sort(Comparator.<PolicyPlanView.NamespaceView>comparingLong(
                        view -> -view.wouldDelete().events())
                .thenComparing(PolicyPlanView.NamespaceView::namespace));
        return views;
    }

    private static Map<String, AmountView> stored(List<StatusView> instances) {
        Map<String, AmountView> sums = new TreeMap<>();
        instances.forEach(instance -> instance.namespaces()
                .forEach((name, held) ->
                        sums.merge(name, new AmountView(held.events(), held.bytes()), AmountView::plus)));
        return sums;
    }

    private static @Nullable Long allowed(BrakeLimits limits, AmountView stored) {
        return limits.isOn() ? (Long) limits.allowed(stored.events()) : null;
    }

    private static double share(AmountView part, AmountView all) {
        return all.events() == 0 ? 0 : Math.min(1, (double) part.events() / all.events());
    }
}
