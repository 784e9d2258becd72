/** Commands that fetch receipts, and that make the key which signs them. */
@NullMarked
package dev.ebb.cli.receipt;

import org.jspecify.annotations.NullMarked;
