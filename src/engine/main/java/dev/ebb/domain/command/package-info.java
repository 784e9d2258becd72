/** What people can ask of the stored streams besides policies, and what they are told about it. */
@NullMarked
package dev.ebb.domain.command;

import org.jspecify.annotations.NullMarked;
