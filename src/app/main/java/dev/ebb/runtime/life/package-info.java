/** Life of an instance as steps: what a start waits for, how a run ends, what is closed and in which order. */
@NullMarked
package dev.ebb.runtime.life;

import org.jspecify.annotations.NullMarked;
