package dev.ebb.model;

import static dev.ebb.model.RetentionModelRules.FOREVER;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.Mirroring;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.SweepWindow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The policies and holds in force, as the model reads them: a map of each, and a walk from the narrowest scope on (M-7). */
public final class RetentionModelPolicies {

    private static final long MINUTE = 60_000;
    private static final long DAY = 24 * 60 * MINUTE;

    private final Map<String, RetentionPolicy> policies = new TreeMap<>();
    private final Map<String, Scope> holds = new TreeMap<>();
    private final Map<String, RetentionModelRules> known = new HashMap<>();
    private Limit maxAgeOfAll = Limit.of(30 * DAY);
    private PolicyMode modeOfAll = PolicyMode.ENFORCE;

    public RetentionModelPolicies copy() {
        RetentionModelPolicies copy = new RetentionModelPolicies();
        copy.policies.putAll(policies);
        copy.holds.putAll(holds);
        copy.maxAgeOfAll = maxAgeOfAll;
        copy.modeOfAll = modeOfAll;
        return copy;
    }

    /** Settings decide from now on what no policy does (T-13). */
    public void settings(Limit maxAge, PolicyMode mode) {
        known.clear();
        maxAgeOfAll = maxAge;
        modeOfAll = mode;
    }

    /** Sets a policy; null removes it. */
    public void put(String scope, RetentionPolicy policy) {
        known.clear();
        if (policy == null) {
            policies.remove(scope);
        } else {
            policies.put(scope, policy);
        }
    }

    /** Places a hold; null releases it. */
    public void hold(String caseId, Scope covers) {
        if (covers == null) {
            holds.remove(caseId);
        } else {
            holds.put(caseId, covers);
        }
    }

    public Scope covers(String caseId) {
        return holds.get(caseId);
    }

    public Set<String> cases() {
        return Set.copyOf(holds.keySet());
    }

    public boolean isHeld(String stream) {
        return holds.values().stream().anyMatch(covers -> isOn(covers, stream));
    }

    /** Returns true if the scope, which is none of a pattern, applies to the stream. */
    public static boolean isOn(Scope scope, String stream) {
        return switch (scope.kind()) {
            case STREAM -> scope.name().equals(stream);
            case NAMESPACE -> scope.name().equals(namespace(stream));
            case ALL -> true;
            case PATTERN -> false;
        };
    }

    static String namespace(String stream) {
        return stream.contains("/") ? stream.substring(0, stream.indexOf('/')) : "default";
    }

    /** A layer of what is in force, and the scope that it is said for. */
    private record Layer(String scope, RetentionPolicy policy) {}

    private record Said<T>(T value, String scope) {}

    public RetentionModelRules rules(String stream) {
        return known.computeIfAbsent(stream, this::read);
    }

    private RetentionModelRules read(String stream) {
        List<Layer> layers = layers(stream);
        Said<Limit> maxAge = first(layers, PolicyField.MAX_AGE);
        Said<Limit> maxCount = first(layers, PolicyField.MAX_COUNT);
        Said<Limit> maxBytes = first(layers, PolicyField.MAX_BYTES);
        Anchor anchor = first(layers, PolicyField.ANCHOR).value();
        Boolean allows = first(layers, PolicyField.ALLOW_INFINITE_TTL).value();
        Long interval = first(layers, PolicyField.INTERVAL).value();
        SweepWindow window = first(layers, PolicyField.WINDOW).value();
        return new RetentionModelRules(
                limit(maxAge.value(), FOREVER),
                limit(maxCount.value(), FOREVER),
                limit(maxBytes.value(), FOREVER),
                limit(first(layers, PolicyField.KEEP_LAST).value(), 0),
                limit(first(layers, PolicyField.MIN_AGE).value(), 0),
                limit(first(layers, PolicyField.MIN_TTL).value(), -1),
                limit(first(layers, PolicyField.MAX_TTL).value(), FOREVER),
                anchor == null ? Anchor.STORED : anchor,
                Boolean.TRUE.equals(allows),
                first(layers, PolicyField.MODE).value() != PolicyMode.WARN,
                Boolean.TRUE.equals(first(layers, PolicyField.ARCHIVE).value()),
                first(layers, PolicyField.MIRROR).value() != Mirroring.NONE,
                interval == null ? 1000 : interval,
                window == null || window.isAlways() ? null : window.toString(),
                maxAge.scope(),
                maxCount.scope(),
                maxBytes.scope());
    }

    private static long limit(Limit limit, long none) {
        return limit == null || limit.isNone() ? none : limit.value();
    }

    private List<Layer> layers(String stream) {
        List<Layer> layers = new ArrayList<>();
        add(layers, "stream:" + stream);
        String namespace = "namespace:" + namespace(stream);
        add(layers, namespace);
        RetentionPolicy named = policies.get(namespace);
        if (isInForce(named) && named.pattern() != null) {
            String pattern = "pattern:" + named.pattern();
            add(layers, pattern);
            layers.add(new Layer(pattern, builtIn(named.pattern())));
        }
        add(layers, "*");
        layers.add(new Layer(
                "*",
                RetentionPolicy.of(Scope.ALL)
                        .maxAge(maxAgeOfAll)
                        .mode(modeOfAll)
                        .build()));
        return layers;
    }

    private void add(List<Layer> layers, String scope) {
        if (isInForce(policies.get(scope))) {
            layers.add(new Layer(scope, policies.get(scope)));
        }
    }

    private static boolean isInForce(RetentionPolicy policy) {
        return policy != null && !Boolean.FALSE.equals(policy.get(PolicyField.ENABLED));
    }

    private static <T> Said<T> first(List<Layer> layers, PolicyField<T> field) {
        for (Layer layer : layers) {
            T value = layer.policy().get(field);
            if (value != null) {
                return new Said<>(value, layer.scope());
            }
        }
        return new Said<>(null, "*");
    }

    private static RetentionPolicy builtIn(String name) {
        var policy = RetentionPolicy.of(Scope.pattern(name));
        return switch (name) {
            case "cache" ->
                policy.maxAge(Limit.of(15 * MINUTE)).anchor(Anchor.OCCURRED).build();
            case "session" ->
                policy.maxAge(Limit.of(DAY)).anchor(Anchor.OCCURRED).build();
            case "keyvalue" ->
                policy.maxAge(Limit.of(30 * DAY)).anchor(Anchor.OCCURRED).build();
            case "graph" -> policy.maxAge(Limit.NONE).build();
            case "timeseries", "vector", "object" ->
                policy.maxAge(Limit.of(90 * DAY)).build();
            default -> policy.build();
        };
    }

    /** Returns true if other rules hold for the stream by others, or it is held by one of both alone. */
    boolean differFor(String stream, RetentionModelPolicies others) {
        return isHeld(stream) != others.isHeld(stream)
                || !rules(stream).withoutScopes().equals(others.rules(stream).withoutScopes());
    }

    /** The scopes of all policies and holds of which one of both says something else. */
    List<Scope> changed(RetentionModelPolicies others) {
        List<Scope> changed = new ArrayList<>();
        Set<String> scopes = new TreeSet<>(policies.keySet());
        scopes.addAll(others.policies.keySet());
        scopes.stream()
                .filter(scope -> !Objects.equals(said(scope), others.said(scope)))
                .forEach(scope -> changed.add(scope.equals("*") ? Scope.ALL : scope(scope)));
        Set<String> cases = new TreeSet<>(holds.keySet());
        cases.addAll(others.holds.keySet());
        cases.stream()
                .filter(name -> !Objects.equals(holds.get(name), others.holds.get(name)))
                .forEach(name -> changed.add(holds.getOrDefault(name, others.holds.get(name))));
        return changed;
    }

    private RetentionPolicy said(String scope) {
        RetentionPolicy policy = policies.get(scope);
        return isInForce(policy)
                ? policy.toBuilder()
                        .confirmed(null)
                        .reason(null)
                        .updatedBy(null)
                        .build()
                : null;
    }

    private static Scope scope(String text) {
        String name = text.substring(text.indexOf(':') + 1);
        return switch (text.substring(0, text.indexOf(':'))) {
            case "stream" -> Scope.stream(name);
            case "namespace" -> Scope.namespace(name);
            default -> Scope.pattern(name);
        };
    }

    /** Returns true if the scope applies to the stream, by the patterns that these policies name. */
    boolean applies(Scope scope, String stream) {
        if (scope.kind() != Scope.Kind.PATTERN) {
            return isOn(scope, stream);
        }
        RetentionPolicy named = policies.get("namespace:" + namespace(stream));
        return isInForce(named) && scope.name().equals(named.pattern());
    }
}
