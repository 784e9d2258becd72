/** Plans: sets of events that a dry run has listed, and the results of carrying them out. */
@NullMarked
package dev.ebb.domain.plan;

import org.jspecify.annotations.NullMarked;
