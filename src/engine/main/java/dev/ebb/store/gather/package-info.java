/** Changes that wait for the commit of their transaction: what is undone before it costs no record. */
@NullMarked
package dev.ebb.store.gather;

import org.jspecify.annotations.NullMarked;
