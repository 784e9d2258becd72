/** Services of a development stack as child processes: starts, watches and ends them. */
@NullMarked
package dev.ebb.devstack.process;

import org.jspecify.annotations.NullMarked;
