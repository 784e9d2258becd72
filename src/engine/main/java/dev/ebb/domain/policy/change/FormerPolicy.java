package dev.ebb.domain.policy.change;

import dev.ebb.domain.policy.PolicyEdit;

/**
 * A change of a policy or hold, and the policy or hold before it.
 *
 * @param version the version of the change
 * @param before an edit that restores the former policy or hold; a removal if there was none
 */
public record FormerPolicy(long version, PolicyEdit before) {}
