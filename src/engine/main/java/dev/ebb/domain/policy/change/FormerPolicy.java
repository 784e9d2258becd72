package dev.ebb.domain.policy.change;

import dev.ebb.domain.policy.PolicyEdit;

/**
 * A change of a policy or hold, and what it has replaced.
 *
 * @param version the version of the change
 * @param before an edit that puts back in force what was in force before; a removal if there was nothing
 */
public record FormerPolicy(long version, PolicyEdit before) {}
