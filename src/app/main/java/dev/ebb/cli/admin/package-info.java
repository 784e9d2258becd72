/** Commands for operators: run, topics, access rules, tokens, offsets, departure, completion. */
@NullMarked
package dev.ebb.cli.admin;

import org.jspecify.annotations.NullMarked;
