package dev.ebb.domain.policy.change;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.Sourced;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.domain.source.Source;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares the events that may be deleted before and after a change of the policies (O-8). Where the result depends on
 * the events themselves, the comparison assumes that more may be deleted. Immutable and thread-safe.
 */
public final class PolicyComparison {

    private final PolicySet before;
    private final PolicySet after;
    private final Set<Scope> changedScopes;
    private final Map<Scope.Kind, Set<String>> changedNames;
    private final Set<String> namespacesOfStreams;
    private final Set<Hold> changedHolds;

    /** The streams that have a record on either side, by namespace; null until a change of a wider scope needs them. */
    private volatile @Nullable Map<String, List<StreamName>> streams;

    public PolicyComparison(PolicySet before, PolicySet after) {
        this.before = before;
        this.after = after;
        Set<Scope> scopes = new HashSet<>();
        before.differingScopes(after, scopes::add);
        scopes.removeIf(scope ->
                sameRules(before.policies().get(scope), after.policies().get(scope)));
        if (!before.settings().equals(after.settings())) {
            scopes.add(Scope.ALL);
        }
        before.sources().differences(after.sources(), scopes::add);
        this.changedScopes = Snapshot.of(scopes);
        this.changedNames = changedScopes.stream()
                .collect(Collectors.groupingBy(Scope::kind, Collectors.mapping(Scope::name, Collectors.toSet())));
        this.namespacesOfStreams = Snapshot.of(changedNames.getOrDefault(Scope.Kind.STREAM, Set.of()).stream()
                .map(stream -> new StreamName(stream).namespace())
                .collect(Collectors.toSet()));
        this.changedHolds = changedHolds();
    }

    private Set<Hold> changedHolds() {
        Set<Hold> holds = new HashSet<>();
        before.differingCases(after, caseId -> {
            for (PolicySet side : List.of(before, after)) {
                Hold hold = side.holds().get(caseId);
                if (hold != null && (!covers(before, hold) || !covers(after, hold))) {
                    holds.add(hold);
                }
            }
        });
        return Snapshot.of(holds);
    }

    /** Returns true if the change could make anything due that was not due before. */
    public boolean canDeleteMore() {
        return freesStatuses()
                || endedHolds().findAny().isPresent()
                || after.sources().sendingMoreThan(before.sources()).findAny().isPresent()
                || changedScopes.stream().anyMatch(this::rulesDeleteMoreIn);
    }

    /** Returns true if the change could make anything in the scope due that was not due before. */
    public boolean canDeleteMoreIn(Scope scope) {
        return freesStatuses()
                || endedHolds().anyMatch(hold -> overlap(hold.covers(), scope))
                || after.sources().sendingMoreThan(before.sources()).anyMatch(source -> mayReach(source, scope))
                || rulesDeleteMoreIn(scope);
    }

    private static boolean mayReach(Source source, Scope scope) {
        return switch (scope.kind()) {
            case ALL, PATTERN -> true;
            case NAMESPACE -> source.mayLeadInto(scope.name());
            case STREAM -> source.mayHave(new StreamName(scope.name()));
        };
    }

    /**
     * Returns true if each removal from the stream goes further than before: its source has got a target, so all that
     * is due already goes from there too (F-9).
     */
    public boolean reachesFurther(StreamName stream) {
        return after.sources().sendMoreThan(before.sources(), stream);
    }

    /** Returns true if a status protects no longer. */
    public boolean freesStatuses() {
        return !before.settings().statuses().includes(after.settings().statuses());
    }

    private static boolean overlap(Scope one, Scope other) {
        Scope narrow = one.kind().compareTo(other.kind()) <= 0 ? one : other;
        Scope wide = narrow.equals(one) ? other : one;
        return switch (wide.kind()) {
            case ALL, PATTERN -> true;
            case NAMESPACE ->
                narrow.equals(wide)
                        || (narrow.kind() == Scope.Kind.STREAM
                                && new StreamName(narrow.name()).namespace().equals(wide.name()));
            case STREAM -> narrow.equals(wide);
        };
    }

    /** Returns true if the rules for the stream differ, or a hold covers the stream on one side only. */
    public boolean touches(StreamName stream) {
        return differs(before, after, stream);
    }

    /**
     * Returns true if the rules for the stream differ between the two sets, or a hold covers the stream in only one of
     * them; for sets that need no further comparison.
     */
    public static boolean differs(PolicySet before, PolicySet after, StreamName stream) {
        return !before.settings().statuses().equals(after.settings().statuses())
                || before.isHeld(stream) != after.isHeld(stream)
                || !sameRules(before.effective(stream), after.effective(stream));
    }

    /**
     * Returns the only streams that the change can touch; null if a wider scope has changed, so every stream must be
     * checked.
     */
    public @Nullable Set<StreamName> onlyStreams() {
        Set<Scope> changed = new HashSet<>(changedScopes);
        changedHolds.forEach(hold -> changed.add(hold.covers()));
        return changed.stream().allMatch(scope -> scope.kind() == Scope.Kind.STREAM)
                ? Snapshot.of(changed.stream()
                        .map(scope -> new StreamName(scope.name()))
                        .toList())
                : null;
    }

    /** Returns true if the stream is in the scope of a changed policy, or covered by a changed hold. */
    public boolean isInScope(StreamName stream) {
        return changedHolds.stream().anyMatch(hold -> hold.isOn(stream))
                || changedScopes.contains(Scope.ALL)
                || hasChanged(Scope.Kind.STREAM, stream.value())
                || hasChanged(Scope.Kind.NAMESPACE, stream.namespace())
                || hasChanged(Scope.Kind.PATTERN, before.patternOf(stream.namespace()))
                || hasChanged(Scope.Kind.PATTERN, after.patternOf(stream.namespace()));
    }

    /** Returns true if the change can concern a stream of the namespace. */
    public boolean concerns(String namespace) {
        return changedHolds.stream().anyMatch(hold -> isAbout(hold.covers(), namespace))
                || changedScopes.contains(Scope.ALL)
                || hasChanged(Scope.Kind.NAMESPACE, namespace)
                || namespacesOfStreams.contains(namespace)
                || hasChanged(Scope.Kind.PATTERN, before.patternOf(namespace))
                || hasChanged(Scope.Kind.PATTERN, after.patternOf(namespace));
    }

    private static boolean isAbout(Scope covered, String namespace) {
        return switch (covered.kind()) {
            case ALL, PATTERN -> true;
            case NAMESPACE -> covered.name().equals(namespace);
            case STREAM -> new StreamName(covered.name()).namespace().equals(namespace);
        };
    }

    /** Called for every stream of a partition, so its cost must not depend on the number of changed scopes. */
    private boolean hasChanged(Scope.Kind kind, @Nullable String name) {
        return name != null && changedNames.getOrDefault(kind, Set.of()).contains(name);
    }

    /** Returns the holds that end and whose whole scope no other hold covers. */
    private Stream<Hold> endedHolds() {
        return changedHolds.stream()
                .filter(hold -> covers(before, hold))
                .filter(ended -> after.holds().values().stream().noneMatch(hold -> includes(hold, ended)));
    }

    private static boolean includes(Hold wide, Hold narrow) {
        Scope covered = narrow.covers();
        return switch (wide.covers().kind()) {
            case ALL -> true;
            case NAMESPACE ->
                wide.covers().equals(covered)
                        || (covered.kind() == Scope.Kind.STREAM && wide.isOn(new StreamName(covered.name())));
            default -> wide.covers().equals(covered);
        };
    }

    private boolean rulesDeleteMoreIn(Scope scope) {
        return switch (scope.kind()) {
            case STREAM -> canDeleteMoreOf(new StreamName(scope.name()));
            case NAMESPACE -> canDeleteMoreInNamespace(scope.name());
            case PATTERN -> namespaces().anyMatch(this::canDeleteMoreInNamespace);
            case ALL ->
                canDeleteMore(before.effectiveIn(null), after.effectiveIn(null))
                        || namespaces().anyMatch(this::canDeleteMoreInNamespace)
                        || streams().values().stream().flatMap(List::stream).anyMatch(this::canDeleteMoreOf);
        };
    }

    private boolean canDeleteMoreInNamespace(String namespace) {
        return canDeleteMore(before.effectiveIn(namespace), after.effectiveIn(namespace))
                || streams().getOrDefault(namespace, List.of()).stream().anyMatch(this::canDeleteMoreOf);
    }

    private boolean canDeleteMoreOf(StreamName stream) {
        return canDeleteMore(before.effective(stream), after.effective(stream));
    }

    /**
     * Under {@code warn} nothing is deleted; once {@code warn} ends, everything that it kept may be deleted at once.
     */
    private static boolean canDeleteMore(EffectivePolicy before, EffectivePolicy after) {
        if (!after.isEnforced() || sameRules(before, after)) {
            return false;
        }
        return before.fields().keySet().stream().anyMatch(field -> canDeleteMore(field, before, after));
    }

    private static <T> boolean canDeleteMore(PolicyField<T> field, EffectivePolicy before, EffectivePolicy after) {
        return field.canDeleteMore(before.get(field).value(), after.get(field).value());
    }

    private Stream<String> namespaces() {
        return both(before.namespacesWithRecord(), after.namespacesWithRecord());
    }

    /** Returns the streams by namespace; never called for a change of single streams. */
    private Map<String, List<StreamName>> streams() {
        Map<String, List<StreamName>> known = streams;
        if (known == null) {
            known = both(before.streamsWithRecord(), after.streamsWithRecord())
                    .map(StreamName::new)
                    .collect(Collectors.groupingBy(StreamName::namespace));
            streams = known;
        }
        return known;
    }

    private static boolean covers(PolicySet policies, Hold hold) {
        Hold there = policies.holds().get(hold.caseId());
        return there != null && there.covers().equals(hold.covers());
    }

    private static boolean sameRules(@Nullable VersionedPolicy one, @Nullable VersionedPolicy other) {
        return Objects.equals(rules(one), rules(other));
    }

    /** Returns the rules of a record, without author and reason; null if the record sets none. */
    private static @Nullable RetentionPolicy rules(@Nullable VersionedPolicy record) {
        return record == null || !record.policy().isEnabled()
                ? null
                : record.policy().rules();
    }

    /** Compares the values, not their sources. */
    private static boolean sameRules(EffectivePolicy one, EffectivePolicy other) {
        return one.equals(other) || values(one).equals(values(other));
    }

    private static List<Object> values(EffectivePolicy policy) {
        return policy.fields().values().stream().<Object>map(Sourced::value).toList();
    }

    private static <T> Stream<T> both(Set<T> one, Set<T> other) {
        Set<T> all = new HashSet<>(one);
        all.addAll(other);
        return all.stream();
    }
}
