/** Commands for policies. */
@NullMarked
package dev.ebb.cli.policy;

import org.jspecify.annotations.NullMarked;
