/** The decision whether an event goes, when and why, and the values behind it. */
@NullMarked
package dev.ebb.domain.retention;

import org.jspecify.annotations.NullMarked;
