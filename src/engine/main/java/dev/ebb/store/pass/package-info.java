/** Passes through a stream in slices: prune, recount and emptying. */
@NullMarked
package dev.ebb.store.pass;

import org.jspecify.annotations.NullMarked;
