/** The routes of commands, and their results as JSON. */
@NullMarked
package dev.ebb.wire.commands;

import org.jspecify.annotations.NullMarked;
