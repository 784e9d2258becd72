/** Policies, holds, and changes of them, as REST shows them. */
@NullMarked
package dev.ebb.wire.policies;

import org.jspecify.annotations.NullMarked;
