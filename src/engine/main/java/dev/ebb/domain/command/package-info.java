/** Commands of people on stored streams, except changes of policies, and the results of these commands. */
@NullMarked
package dev.ebb.domain.command;

import org.jspecify.annotations.NullMarked;
