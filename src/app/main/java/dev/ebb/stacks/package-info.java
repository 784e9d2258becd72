/** Files of a development stack: passwords, locks, addresses, and the list of running stacks. */
@NullMarked
package dev.ebb.stacks;

import org.jspecify.annotations.NullMarked;
