package dev.ebb.domain.policy;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.time.Durations;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The policies in force before any is declared (M-8): {@code *} and the patterns {@code cache}, {@code session}, {@code
 * keyvalue}, {@code timeseries}, {@code graph}, {@code vector} and {@code object}. Immutable.
 */
public final class BuiltInPolicies {

    /** The {@code maxAge} of {@code *}, in milliseconds, unless the application sets another: 30 days. */
    public static final Limit DEFAULT_MAX_AGE = Objects.requireNonNull(PolicyField.MAX_AGE.builtIn());

    private final RetentionSettings settings;
    private final Map<Scope, RetentionPolicy> policies = new LinkedHashMap<>();

    /** @param defaultMaxAge the {@code maxAge} of {@code *} */
    public BuiltInPolicies(Limit defaultMaxAge) {
        this(defaultMaxAge, PolicyMode.ENFORCE);
    }

    /**
     * @param defaultMaxAge the {@code maxAge} of {@code *}
     * @param defaultMode the {@code mode} of {@code *}
     */
    public BuiltInPolicies(Limit defaultMaxAge, PolicyMode defaultMode) {
        this(new RetentionSettings(defaultMaxAge, defaultMode, TerminalStatuses.DEFAULT));
    }

    /** @param settings the settings that the policies come from */
    public BuiltInPolicies(RetentionSettings settings) {
        this.settings = settings;
        RetentionPolicy.Builder ofAll = RetentionPolicy.of(Scope.ALL);
        PolicyField.ALL.forEach(field -> setBuiltIn(ofAll, field));
        add(ofAll.maxAge(settings.maxAge()).mode(settings.mode()).build());
        addPattern("cache", Limit.of(Durations.parseMs("15m")), Anchor.OCCURRED);
        addPattern("session", Limit.of(Durations.parseMs("24h")), Anchor.OCCURRED);
        addPattern("keyvalue", days(30), Anchor.OCCURRED);
        addPattern("timeseries", days(90), null);
        addPattern("graph", Limit.NONE, null);
        addPattern("vector", days(90), null);
        addPattern("object", days(90), null);
    }

    /** Returns the settings that the policies come from, the terminal statuses among them. */
    public RetentionSettings settings() {
        return settings;
    }

    /** Returns the built-in policy of each scope that has one, {@code *} first. */
    public Map<Scope, RetentionPolicy> all() {
        return Collections.unmodifiableMap(policies);
    }

    @Nullable
    RetentionPolicy find(Scope scope) {
        return policies.get(scope);
    }

    private static <T> void setBuiltIn(RetentionPolicy.Builder policy, PolicyField<T> field) {
        policy.set(field, field.builtIn());
    }

    private void addPattern(String name, Limit maxAge, @Nullable Anchor anchor) {
        add(RetentionPolicy.of(Scope.pattern(name))
                .maxAge(maxAge)
                .anchor(anchor)
                .build());
    }

    private void add(RetentionPolicy policy) {
        policies.put(policy.scope(), policy);
    }

    private static Limit days(int days) {
        return Limit.of(Durations.parseMs(days + "d"));
    }
}
