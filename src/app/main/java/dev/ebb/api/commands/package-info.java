/** Resources for commands and their results. */
@NullMarked
package dev.ebb.api.commands;

import org.jspecify.annotations.NullMarked;
