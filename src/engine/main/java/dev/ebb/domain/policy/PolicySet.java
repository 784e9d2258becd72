package dev.ebb.domain.policy;

import dev.ebb.domain.Sha256;
import dev.ebb.domain.SharingMap;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.source.Source;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All policies in force at one moment. Immutable and thread-safe. Resolved policies are cached: streams without a
 * policy of their own share that of their namespace, and namespaces without a policy of their own share that of all
 * others.
 */
public final class PolicySet {

    /** The version of a set to which no record ever contributed. */
    public static final long NO_VERSION = -1;

    private final SharingMap<Scope, VersionedPolicy> policies;
    private final SharingMap<String, Hold> holds;

    /**
     * The scopes of single streams, and of namespaces, by name, so that the look-up for an event needs no new scope.
     */
    private final SharingMap<String, Scope> streams;

    private final SharingMap<String, Scope> namespaces;
    private final KnownSources sources;
    private final PolicyLayers layers;
    private final RecentChanges changes;
    private final PolicyEdition edition;

    /** Policies in force for the streams and namespaces with a record of their own; one more serves all others. */
    private final Map<Scope, EffectivePolicy> resolved = new ConcurrentHashMap<>();

    private volatile @Nullable EffectivePolicy ofOthers;
    private volatile @Nullable EffectivePolicy ofSources;

    /** Creates a set without holds, see {@link #PolicySet(Map, Map, BuiltInPolicies, long)}. */
    public PolicySet(Map<Scope, VersionedPolicy> policies, BuiltInPolicies builtIn, long version) {
        this(policies, Map.of(), builtIn, version);
    }

    /**
     * @param policies the records in force by their scope
     * @param holds the holds in force by their case
     * @param builtIn the policies in force where no record sets a value
     * @param version the version of the newest record that contributed, or {@link #NO_VERSION}
     */
    public PolicySet(
            Map<Scope, VersionedPolicy> policies, Map<String, Hold> holds, BuiltInPolicies builtIn, long version) {
        this(
                SharingMap.of(policies),
                SharingMap.of(holds),
                SharingMap.<String, Scope>empty().with(named(policies, Scope.Kind.STREAM)),
                SharingMap.<String, Scope>empty().with(named(policies, Scope.Kind.NAMESPACE)),
                KnownSources.NONE,
                builtIn,
                RecentChanges.NONE,
                new PolicyEdition(version, 0));
    }

    private PolicySet(
            SharingMap<Scope, VersionedPolicy> policies,
            SharingMap<String, Hold> holds,
            SharingMap<String, Scope> streams,
            SharingMap<String, Scope> namespaces,
            KnownSources sources,
            BuiltInPolicies builtIn,
            RecentChanges changes,
            PolicyEdition edition) {
        this.policies = policies;
        this.changes = changes;
        this.holds = holds;
        this.streams = streams;
        this.namespaces = namespaces;
        this.sources = sources;
        this.layers = new PolicyLayers(policies, builtIn, sources);
        this.edition = edition;
    }

    /** Returns the set in which only the built-in policies are in force. */
    public static PolicySet empty(BuiltInPolicies builtIn) {
        return new PolicySet(Map.of(), builtIn, NO_VERSION);
    }

    /**
     * Returns the set after these changes. Changed records get the version of this set, since they have no version of
     * their own yet. The new set shares unchanged records with this one, so its cost depends on the changes alone.
     */
    public PolicySet with(List<PolicyEdit> edits) {
        RecentChanges changed = touched(edits, version(), changes.newestMs());
        return with(edits, version(), version(), VersionedPolicy.NOT_YET, changed);
    }

    /**
     * Returns the set after a change.
     *
     * @param editVersion the version of the record
     * @param newVersion the version of the new set
     * @param atMs the time at which the record was accepted, epoch milliseconds
     */
    public PolicySet with(PolicyEdit edit, long editVersion, long newVersion, long atMs) {
        List<PolicyEdit> edits = List.of(edit);
        return with(edits, editVersion, newVersion, atMs, touched(edits, editVersion, atMs));
    }

    /**
     * Returns the set after a record that lists the changes of its key so far. A comparison of the sets would miss
     * changes whose records no longer exist, and would count a record that was sent again unchanged.
     *
     * @param editVersion the version of the record
     * @param newVersion the version of the new set
     * @param atMs the time at which the record was accepted, epoch milliseconds
     * @param known the changes of the key, each with the scope in which more may be due
     */
    public PolicySet with(
            PolicyEdit edit, long editVersion, long newVersion, long atMs, List<RecentChanges.Touch> known) {
        RecentChanges changed = changes;
        for (RecentChanges.Touch touch : known) {
            changed = changed.with(touch.scope(), touch.change());
        }
        return with(List.of(edit), editVersion, newVersion, atMs, changed);
    }

    /** Returns the known changes and those of the edits. */
    private RecentChanges touched(List<PolicyEdit> edits, long editVersion, long atMs) {
        RecentChanges changed = changes;
        for (PolicyEdit edit : edits) {
            PolicyEdit former = inForce(edit.key());
            Scope touched = former.touched();
            if (touched != null && edit.mayMakeDue(former)) {
                boolean freesOwnTtl = edit.freesOwnTtl(former);
                changed = changed.with(touched, new RecentChanges.Change(edit.key(), editVersion, atMs, freesOwnTtl));
            }
        }
        return changed;
    }

    private PolicySet with(
            List<PolicyEdit> edits, long editVersion, long newVersion, long sinceMs, RecentChanges changed) {
        Map<Scope, @Nullable VersionedPolicy> records = new LinkedHashMap<>();
        Map<String, @Nullable Hold> held = new LinkedHashMap<>();
        Map<String, @Nullable Source> declared = new LinkedHashMap<>();
        BuiltInPolicies builtIn = layers.builtIn();
        for (PolicyEdit edit : edits) {
            RetentionSettings settings = edit.settings();
            if (settings != null && !settings.equals(builtIn.settings())) {
                builtIn = new BuiltInPolicies(settings);
            }
            Scope scope = edit.key().scope();
            String caseId = edit.key().caseId();
            RetentionPolicy policy = edit.policy();
            if (scope != null) {
                records.put(scope, policy == null ? null : new VersionedPolicy(policy, editVersion, sinceMs));
            } else if (caseId != null) {
                held.put(caseId, edit.hold());
            } else if (edit.key().sourceName() != null) {
                declared.put(edit.key().sourceName(), edit.source());
            }
        }
        return new PolicySet(
                policies.with(records),
                holds.with(held),
                streams.with(named(records, Scope.Kind.STREAM)),
                namespaces.with(named(records, Scope.Kind.NAMESPACE)),
                sources.with(declared),
                builtIn,
                changed,
                new PolicyEdition(newVersion, edition.lateChanges()));
    }

    /**
     * Returns the policy, disabled or not, or the hold in force under the key, as an edit that would set it; a removal
     * if there is none.
     */
    public PolicyEdit inForce(PolicyKey key) {
        if (key.isSettings()) {
            return PolicyEdit.of(settings());
        }
        String source = key.sourceName();
        if (source != null) {
            return new PolicyEdit(key, null, null, null, sources.get(source));
        }
        Scope scope = key.scope();
        VersionedPolicy policy = scope == null ? null : policies.get(scope);
        Hold hold = scope == null ? holds.get(key.caseId()) : null;
        return new PolicyEdit(key, policy == null ? null : policy.policy(), hold);
    }

    private static Map<String, @Nullable Scope> named(
            Map<Scope, ? extends @Nullable VersionedPolicy> changed, Scope.Kind kind) {
        Map<String, @Nullable Scope> named = new HashMap<>();
        changed.forEach((scope, record) -> {
            if (scope.kind() == kind) {
                named.put(scope.name(), record == null ? null : scope);
            }
        });
        return named;
    }

    /** Returns this set as another edition. */
    public PolicySet with(PolicyEdition newEdition) {
        return new PolicySet(policies, holds, streams, namespaces, sources, layers.builtIn(), changes, newEdition);
    }

    /** Returns the version of the newest record that contributed, or {@link #NO_VERSION}. */
    public long version() {
        return edition.version();
    }

    /** Returns the name of this set, which no set has that came into force earlier or later. */
    public PolicyEdition edition() {
        return edition;
    }

    /**
     * Returns the time of the newest change of a policy or release of a hold, epoch milliseconds; 0 if there was none.
     */
    public long changedMs() {
        return changes.newestMs();
    }

    /** Returns the changes of policies and the releases of holds in the scopes of the stream, the newest first. */
    public List<RecentChanges.Change> changesOn(StreamName stream) {
        return changes.on(stream, patternOf(stream.namespace()));
    }

    /** Returns all known changes of policies and releases of holds, in no particular order, some of them repeatedly. */
    public Stream<RecentChanges.Change> allChanges() {
        return changes.all();
    }

    /** Returns the records in force by their scope, disabled ones included. */
    public Map<Scope, VersionedPolicy> policies() {
        return policies;
    }

    /**
     * Returns a hash of the records in force, their versions, and the settings, in hexadecimal digits. Holds are left out: placing a
     * hold makes nothing due.
     */
    public String digestOfPolicies() {
        String records = policies.entrySet().stream()
                .map(entry -> entry.getValue().version() + " " + entry.getKey())
                .sorted()
                .collect(Collectors.joining("\n"));
        String all = records + "\n" + settings();
        return HexFormat.of().formatHex(Sha256.of(all.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns true if the policy, disabled or not, or the hold is in force. */
    public boolean contains(PolicyKey key) {
        if (key.isSettings()) {
            return true;
        }
        Scope scope = key.scope();
        String caseId = key.caseId();
        String source = key.sourceName();
        if (source != null) {
            return sources.get(source) != null;
        }
        return scope != null ? policies.containsKey(scope) : caseId != null && holds.containsKey(caseId);
    }

    /** Returns the holds in force by their case. */
    public Map<String, Hold> holds() {
        return holds;
    }

    /** Returns the sources in force. */
    public KnownSources sources() {
        return sources;
    }

    /** Returns the holds that cover the stream, by case; empty if there are none. */
    public List<Hold> holdsOn(StreamName stream) {
        return holds.values().stream()
                .filter(hold -> hold.isOn(stream))
                .sorted(Comparator.comparing(Hold::caseId))
                .toList();
    }

    /** Returns true if a hold covers the stream. */
    public boolean isHeld(StreamName stream) {
        if (holds.isEmpty()) {
            return false;
        }
        for (Hold hold : holds.values()) {
            if (hold.isOn(stream)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the settings in force. */
    public RetentionSettings settings() {
        return layers.builtIn().settings();
    }

    /** Returns the policies in force where no record sets a value. */
    public BuiltInPolicies builtIn() {
        return layers.builtIn();
    }

    /**
     * Returns the policy in force for the stream. All streams without a record of their own or of their namespace share
     * one policy, so names that come and go take no memory here.
     */
    public EffectivePolicy effective(StreamName stream) {
        Scope own = streams.get(stream.value());
        Scope narrowest = own == null ? namespaces.get(stream.namespace()) : own;
        if (narrowest == null) {
            return sources.leadInto(stream.namespace()) ? effectiveOfSources() : effectiveOfOthers();
        }
        EffectivePolicy known = resolved.get(narrowest);
        return known == null ? resolved.computeIfAbsent(narrowest, scope -> layers.ofStream(stream)) : known;
    }

    private EffectivePolicy effectiveOfOthers() {
        EffectivePolicy known = ofOthers;
        if (known == null) {
            known = effectiveIn(null);
            ofOthers = known;
        }
        return known;
    }

    private EffectivePolicy effectiveOfSources() {
        EffectivePolicy known = ofSources;
        if (known == null) {
            known = layers.ofSources();
            ofSources = known;
        }
        return known;
    }

    /** Passes on the scopes whose records differ in the two sets; quick if one set was made from the other. */
    public void differingScopes(PolicySet other, Consumer<Scope> listener) {
        policies.differences(other.policies, listener);
    }

    /** Passes on the cases whose holds differ in the two sets; quick if one set was made from the other. */
    public void differingCases(PolicySet other, Consumer<String> listener) {
        holds.differences(other.holds, listener);
    }

    /** Returns the names of the streams with a record of their own. */
    public Set<String> streamsWithRecord() {
        return streams.keySet();
    }

    /** Returns the names of the namespaces with a record of their own. */
    public Set<String> namespacesWithRecord() {
        return namespaces.keySet();
    }

    /**
     * Returns the policy in force for the streams of a namespace that have no policy of their own.
     *
     * @param namespace null for a namespace that no record names
     */
    public EffectivePolicy effectiveIn(@Nullable String namespace) {
        return layers.ofNamespace(namespace);
    }

    /** Returns the pattern from which the namespace inherits; null if it names none. */
    @Nullable
    public String patternOf(String namespace) {
        return layers.patternOf(namespace);
    }
}
