/** The decision whether an event goes, when and why, and the values on which it is based. */
@NullMarked
package dev.ebb.domain.retention;

import org.jspecify.annotations.NullMarked;
