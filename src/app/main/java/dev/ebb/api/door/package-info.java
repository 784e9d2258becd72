/** Checks before a request reaches its resource: security settings, roles, rates and rules for browsers. */
@NullMarked
package dev.ebb.api.door;

import org.jspecify.annotations.NullMarked;
