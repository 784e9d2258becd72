/** Composition root: builds an instance, opens its REST interface, runs it and stops it. */
@NullMarked
package dev.ebb.runtime;

import org.jspecify.annotations.NullMarked;
