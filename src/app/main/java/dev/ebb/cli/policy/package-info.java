/** Commands for policies and holds. */
@NullMarked
package dev.ebb.cli.policy;

import org.jspecify.annotations.NullMarked;
