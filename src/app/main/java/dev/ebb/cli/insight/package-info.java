/** Commands that show what was done: status, audit, rejected and archived records, reports, comparison with SQL. */
@NullMarked
package dev.ebb.cli.insight;

import org.jspecify.annotations.NullMarked;
