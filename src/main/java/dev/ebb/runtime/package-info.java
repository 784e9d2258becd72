/** The composition root: builds the instance, starts and stops it, and fills the ports of the others. */
@NullMarked
package dev.ebb.runtime;

import org.jspecify.annotations.NullMarked;
