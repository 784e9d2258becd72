/** Records of a deletion: mirror, audit and archive. */
@NullMarked
package dev.ebb.topology.removal;

import org.jspecify.annotations.NullMarked;
