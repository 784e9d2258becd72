/** Options, parameters and questions that several commands share. */
@NullMarked
package dev.ebb.cli.options;

import org.jspecify.annotations.NullMarked;
