/** Commands that show past work: status, audit, rejected and archived records, reports, comparison with SQL. */
@NullMarked
package dev.ebb.cli.insight;

import org.jspecify.annotations.NullMarked;
