package dev.ebb.domain.policy;

import dev.ebb.domain.event.StreamName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All policies in force at one moment. Immutable and thread-safe; remembers what it has resolved, since streams of a
 * namespace without a policy of their own share one effective policy.
 */
public final class PolicySet {

    /** The version of a set to which no record ever contributed. */
    public static final long NO_VERSION = -1;

    private final Map<Scope, VersionedPolicy> policies;
    private final Map<String, Hold> holds;
    private final BuiltInPolicies builtIn;
    private final long version;
    private final boolean hasStreams;
    private final Map<String, EffectivePolicy> byNamespace = new ConcurrentHashMap<>();
    private final Map<String, EffectivePolicy> byStream = new ConcurrentHashMap<>();

    /** A set without holds, see {@link #PolicySet(Map, Map, BuiltInPolicies, long)}. */
    public PolicySet(Map<Scope, VersionedPolicy> policies, BuiltInPolicies builtIn, long version) {
        this(policies, Map.of(), builtIn, version);
    }

    /**
     * @param policies the records in force by their scope
     * @param holds the holds in force by their case
     * @param builtIn what holds where no record says anything
     * @param version the version of the newest record that contributed, or {@link #NO_VERSION}
     */
    public PolicySet(
            Map<Scope, VersionedPolicy> policies, Map<String, Hold> holds, BuiltInPolicies builtIn, long version) {
        this.policies = Map.copyOf(policies);
        this.holds = Map.copyOf(holds);
        this.builtIn = builtIn;
        this.version = version;
        this.hasStreams = policies.keySet().stream().anyMatch(scope -> scope.kind() == Scope.Kind.STREAM);
    }

    /** The set in which only the built-in policies are in force. */
    public static PolicySet empty(BuiltInPolicies builtIn) {
        return new PolicySet(Map.of(), builtIn, NO_VERSION);
    }

    /** The set after these changes; what they set has the version of this set, since it has none of its own yet. */
    public PolicySet with(List<PolicyEdit> edits) {
        Map<Scope, VersionedPolicy> changed = new HashMap<>(policies);
        Map<String, Hold> held = new HashMap<>(holds);
        for (PolicyEdit edit : edits) {
            RetentionPolicy policy = edit.policy();
            Hold hold = edit.hold();
            if (policy != null) {
                changed.put(policy.scope(), new VersionedPolicy(policy, version));
            } else if (hold != null) {
                held.put(hold.caseId(), hold);
            } else {
                changed.remove(edit.key().scope());
                held.remove(edit.key().caseId());
            }
        }
        return new PolicySet(changed, held, builtIn, version);
    }

    /** The version of the newest record that contributed, or {@link #NO_VERSION}. */
    public long version() {
        return version;
    }

    /** The records in force by their scope, disabled ones included. */
    public Map<Scope, VersionedPolicy> policies() {
        return policies;
    }

    /** Whether that policy, disabled or not, or that hold is in force. */
    public boolean contains(PolicyKey key) {
        Scope scope = key.scope();
        String caseId = key.caseId();
        return scope != null ? policies.containsKey(scope) : caseId != null && holds.containsKey(caseId);
    }

    /** The holds in force by their case. */
    public Map<String, Hold> holds() {
        return holds;
    }

    /** The holds that cover the stream, by case; empty if nothing holds it. */
    public List<Hold> holdsOn(StreamName stream) {
        return holds.values().stream()
                .filter(hold -> hold.isOn(stream))
                .sorted(Comparator.comparing(Hold::caseId))
                .toList();
    }

    /** Whether a hold covers the stream. */
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

    /** What holds where no record says anything. */
    public BuiltInPolicies builtIn() {
        return builtIn;
    }

    /** What is in force for the stream. */
    public EffectivePolicy effective(StreamName stream) {
        if (hasStreams && policies.containsKey(new Scope(Scope.Kind.STREAM, stream.value()))) {
            return byStream.computeIfAbsent(stream.value(), name -> resolve(layers(stream)));
        }
        return byNamespace.computeIfAbsent(stream.namespace(), name -> resolve(layers(stream)));
    }

    /**
     * What is in force for the streams of a namespace that have no policy of their own.
     *
     * @param namespace null for one that no record names
     */
    EffectivePolicy effectiveIn(@Nullable String namespace) {
        List<Layer> layers = new ArrayList<>();
        addWider(layers, namespace == null ? null : namespaceScope(namespace));
        return resolve(layers);
    }

    /** The pattern that the namespace inherits from; null if it names none. */
    @Nullable
    String patternOf(String namespace) {
        Scope scope = namespaceScope(namespace);
        VersionedPolicy record = scope == null ? null : enabled(scope);
        return record == null ? null : record.policy().pattern();
    }

    private List<Layer> layers(StreamName stream) {
        List<Layer> layers = new ArrayList<>();
        addRecord(layers, Scope.stream(stream.value()));
        addWider(layers, namespaceScope(stream.namespace()));
        return layers;
    }

    private void addWider(List<Layer> layers, @Nullable Scope namespace) {
        if (namespace != null) {
            addRecord(layers, namespace);
            addPattern(layers, namespace);
        }
        addRecord(layers, Scope.ALL);
        addBuiltIn(layers, Scope.ALL);
    }

    /** A stream like {@code /x} or {@code " /x"} has a namespace that no scope can name. */
    private static @Nullable Scope namespaceScope(String namespace) {
        return StreamName.problem(namespace) == null ? Scope.namespace(namespace) : null;
    }

    private void addPattern(List<Layer> layers, Scope namespace) {
        VersionedPolicy record = enabled(namespace);
        if (record != null && record.policy().pattern() != null) {
            Scope pattern = Scope.pattern(record.policy().pattern());
            addRecord(layers, pattern);
            addBuiltIn(layers, pattern);
        }
    }

    private void addRecord(List<Layer> layers, Scope scope) {
        VersionedPolicy record = enabled(scope);
        if (record != null) {
            layers.add(new Layer(record.policy(), new PolicySource(scope, record.version())));
        }
    }

    private void addBuiltIn(List<Layer> layers, Scope scope) {
        RetentionPolicy policy = builtIn.find(scope);
        if (policy != null) {
            layers.add(new Layer(policy, new PolicySource(scope, null)));
        }
    }

    private @Nullable VersionedPolicy enabled(Scope scope) {
        VersionedPolicy record = policies.get(scope);
        return record != null && record.policy().isEnabled() ? record : null;
    }

    private static EffectivePolicy resolve(List<Layer> layers) {
        return new EffectivePolicy(
                first(layers, PolicyField.MAX_AGE),
                first(layers, PolicyField.MAX_COUNT),
                first(layers, PolicyField.MAX_BYTES),
                first(layers, PolicyField.KEEP_LAST),
                first(layers, PolicyField.MIN_AGE),
                first(layers, PolicyField.ANCHOR),
                first(layers, PolicyField.MIN_TTL),
                first(layers, PolicyField.MAX_TTL),
                first(layers, PolicyField.ALLOW_INFINITE_TTL),
                first(layers, PolicyField.MODE),
                first(layers, PolicyField.INTERVAL),
                first(layers, PolicyField.WINDOW),
                first(layers, PolicyField.WARN_BEFORE),
                first(layers, PolicyField.ARCHIVE));
    }

    private static <T> Sourced<T> first(List<Layer> layers, PolicyField<T> field) {
        for (Layer layer : layers) {
            T value = layer.policy().get(field);
            if (value != null) {
                return new Sourced<>(value, layer.source());
            }
        }
        throw new IllegalStateException("the built-in policy of * sets every field");
    }

    private record Layer(RetentionPolicy policy, PolicySource source) {}
}
