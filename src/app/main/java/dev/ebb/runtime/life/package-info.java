/**
 * Life of an instance as steps: conditions of a start, outcomes of a run, and the order in which resources are closed.
 */
@NullMarked
package dev.ebb.runtime.life;

import org.jspecify.annotations.NullMarked;
