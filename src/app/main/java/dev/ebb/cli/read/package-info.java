/** Commands that read: their options follow from the description of the read. */
@NullMarked
package dev.ebb.cli.read;

import org.jspecify.annotations.NullMarked;
