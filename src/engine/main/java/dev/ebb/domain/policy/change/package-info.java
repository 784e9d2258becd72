/** Changes of policies: edits, comparisons, and the limits above which a change must be confirmed. */
@NullMarked
package dev.ebb.domain.policy.change;

import org.jspecify.annotations.NullMarked;
