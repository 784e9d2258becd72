package dev.ebb.domain.policy;

import dev.ebb.domain.event.StreamName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Resolves each field from the narrowest scope that sets it: stream, namespace, pattern of the namespace, {@code *}; a
 * record comes before the built-in policy of its scope. Immutable and thread-safe.
 *
 * @param records the records in force by their scope, disabled ones included
 * @param builtIn the policies in force where no record sets a value
 * @param sources the sources in force; where one may lead, the built-in mode is warn (F-9)
 */
record PolicyLayers(Map<Scope, VersionedPolicy> records, BuiltInPolicies builtIn, KnownSources sources) {

    private static final Layer OF_SOURCES =
            new Layer(RetentionPolicy.of(Scope.ALL).mode(PolicyMode.WARN).build(), new PolicySource(Scope.ALL, null));

    private record Layer(RetentionPolicy policy, PolicySource source) {}

    EffectivePolicy ofStream(StreamName stream) {
        return resolve(Scope.stream(stream.value()), stream.namespace(), sources.leadInto(stream.namespace()));
    }

    /** @param namespace null for a namespace that no record names */
    EffectivePolicy ofNamespace(@Nullable String namespace) {
        return resolve(null, namespace, sources.leadInto(namespace));
    }

    /** Returns the policy of all namespaces that no record names and into which sources lead. */
    EffectivePolicy ofSources() {
        return resolve(null, null, true);
    }

    /** Returns the pattern from which the namespace inherits; null if it names none. */
    @Nullable
    String patternOf(String namespace) {
        VersionedPolicy record = enabled(Scope.namespace(namespace));
        return record == null ? null : record.policy().pattern();
    }

    private EffectivePolicy resolve(@Nullable Scope stream, @Nullable String namespace, boolean isOfSource) {
        List<Layer> layers = new ArrayList<>();
        if (stream != null) {
            add(stream, layers);
        }
        if (namespace != null) {
            add(Scope.namespace(namespace), layers);
        }
        String pattern = namespace == null ? null : patternOf(namespace);
        if (pattern != null) {
            add(Scope.pattern(pattern), layers);
        }
        VersionedPolicy ofAll = enabled(Scope.ALL);
        if (ofAll != null) {
            layers.add(new Layer(ofAll.policy(), new PolicySource(Scope.ALL, ofAll.version())));
        }
        if (isOfSource) {
            layers.add(OF_SOURCES);
        }
        addBuiltIn(Scope.ALL, layers);
        return resolve(layers);
    }

    private void add(Scope scope, List<Layer> layers) {
        VersionedPolicy record = enabled(scope);
        if (record != null) {
            layers.add(new Layer(record.policy(), new PolicySource(scope, record.version())));
        }
        addBuiltIn(scope, layers);
    }

    private void addBuiltIn(Scope scope, List<Layer> layers) {
        RetentionPolicy policy = builtIn.find(scope);
        if (policy != null) {
            layers.add(new Layer(policy, new PolicySource(scope, null)));
        }
    }

    private @Nullable VersionedPolicy enabled(Scope scope) {
        VersionedPolicy record = records.get(scope);
        return record != null && record.policy().isEnabled() ? record : null;
    }

    private static EffectivePolicy resolve(List<Layer> layers) {
        Map<PolicyField<?>, Sourced<?>> fields = new LinkedHashMap<>();
        for (PolicyField<?> field : PolicyField.ALL) {
            if (field.isInherited()) {
                fields.put(field, first(layers, field));
            }
        }
        return new EffectivePolicy(fields);
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
}
