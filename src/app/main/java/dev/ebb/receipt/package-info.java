/** Receipts: the proofs from the audit, its verification, their routes and commands, and the key that signs them. */
@NullMarked
package dev.ebb.receipt;

import org.jspecify.annotations.NullMarked;
