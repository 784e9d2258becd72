/** Resources for past work: audit, sweeps, rejected records, archive, compliance, comparison with SQL. */
@NullMarked
package dev.ebb.api.insight;

import org.jspecify.annotations.NullMarked;
