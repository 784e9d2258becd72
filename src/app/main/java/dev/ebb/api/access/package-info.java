/** Callers of the API: tokens, the file that lists them, and roles. */
@NullMarked
package dev.ebb.api.access;

import org.jspecify.annotations.NullMarked;
