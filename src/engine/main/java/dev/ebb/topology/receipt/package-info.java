/** The Merkle trees over the audit records that the tasks write, and their checkpoints (T-8). */
@NullMarked
package dev.ebb.topology.receipt;

import org.jspecify.annotations.NullMarked;
