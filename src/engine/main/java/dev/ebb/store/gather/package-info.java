/** Changes that wait for the commit of their transaction: a change that is undone before costs no record. */
@NullMarked
package dev.ebb.store.gather;

import org.jspecify.annotations.NullMarked;
