/** Services of a development stack as child processes: how each is started, watched and ended. */
@NullMarked
package dev.ebb.devstack.process;

import org.jspecify.annotations.NullMarked;
