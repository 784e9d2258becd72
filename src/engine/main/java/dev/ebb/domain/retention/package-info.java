/** What may go, when and why: the one decision and the values it is made of. */
@NullMarked
package dev.ebb.domain.retention;

import org.jspecify.annotations.NullMarked;
