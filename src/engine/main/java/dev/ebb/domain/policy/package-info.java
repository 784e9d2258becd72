/** Policies, the scopes they apply to, and what is in force for a stream. */
@NullMarked
package dev.ebb.domain.policy;

import org.jspecify.annotations.NullMarked;
