/** Changes of policies: edits, comparisons, and the limits beyond which a change has to be confirmed. */
@NullMarked
package dev.ebb.domain.policy.change;

import org.jspecify.annotations.NullMarked;
