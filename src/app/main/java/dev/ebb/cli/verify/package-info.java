/** The comparison of stores and SQL, put together from the answers of all partitions. */
@NullMarked
package dev.ebb.cli.verify;

import org.jspecify.annotations.NullMarked;
