package dev.ebb.port.history;

import dev.ebb.domain.retention.SweepReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the reports of sweeps (O-4), newest first. Thread-safe; throws the exceptions of {@link AuditQueries}. */
public interface ReportQueries {

    /**
     * Returns one page.
     *
     * @param time only sweeps that ended in this range
     * @param after the cursor of the previous page; null to begin with the newest
     * @param limit the maximum number of reports of single partitions on a page, at least 1
     */
    HistoryPage<SweepReport> list(TimeRange time, @Nullable String after, int limit);

    /** Returns the reports of all partitions of that sweep or command; empty if there are none, or none any more. */
    List<SweepReport> find(String sweepOrCommand);
}
