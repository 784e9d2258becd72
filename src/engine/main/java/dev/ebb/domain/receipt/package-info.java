/** Merkle trees over the audit, their signed checkpoints, and the check of both (T-8). */
@NullMarked
package dev.ebb.domain.receipt;

import org.jspecify.annotations.NullMarked;
