/**
 * The comparison of stores and SQL. It runs in one instance, which asks the others for the partitions that they
 * keep.
 */
@NullMarked
package dev.ebb.api.verify;

import org.jspecify.annotations.NullMarked;
