package dev.ebb.domain.retention;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicySource;

/**
 * The rule by which an event is removed.
 *
 * @param scope the scope of the policy that applies; {@code event} for an own TTL, {@code command} for a command,
 *     {@code source} for a source
 * @param scopeKind the kind of that scope
 * @param policyVersion the version of that policy; {@link #BUILT_IN} if it is built in; for an own TTL the version of
 *     the policies that allow it
 */
public record RemovalRule(String scope, String scopeKind, long policyVersion) {

    /** The version of built-in policies. */
    public static final long BUILT_IN = -1;

    /** Stands in place of a scope if the own TTL of the event decided. */
    public static final String EVENT = "event";

    /** Stands in place of a scope if a command decided. */
    public static final String COMMAND = "command";

    /** The rule of a person's command, without any policy. */
    public static final RemovalRule OF_COMMAND = new RemovalRule(COMMAND, COMMAND, BUILT_IN);

    /** Stands in place of a scope if the source of the event decided. */
    public static final String SOURCE = "source";

    private static final RemovalRule OF_SOURCE = new RemovalRule(SOURCE, SOURCE, BUILT_IN);

    /**
     * Returns the rule behind a removal.
     *
     * @param policyVersion the version of all policies in force
     */
    public static RemovalRule of(RemovalCause cause, EffectivePolicy policy, long policyVersion) {
        PolicyField<Limit> field = cause.field();
        if (field != null) {
            return of(policy.get(field).source());
        }
        if (cause.isOfSource()) {
            return OF_SOURCE;
        }
        return cause.isCommand() ? OF_COMMAND : new RemovalRule(EVENT, EVENT, policyVersion);
    }

    private static RemovalRule of(PolicySource source) {
        Long version = source.version();
        return new RemovalRule(
                source.scope().toString(), source.scope().kind().text(), version == null ? BUILT_IN : version);
    }
}
