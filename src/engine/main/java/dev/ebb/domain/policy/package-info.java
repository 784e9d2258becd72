/** Policies, the scopes to which they apply, and the policy in force for a stream. */
@NullMarked
package dev.ebb.domain.policy;

import org.jspecify.annotations.NullMarked;
