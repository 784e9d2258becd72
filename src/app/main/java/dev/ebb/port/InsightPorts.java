package dev.ebb.port;

import dev.ebb.port.forecast.DeletionHistory;
import dev.ebb.port.forecast.ForecastQueries;
import dev.ebb.port.forecast.News;
import dev.ebb.port.forecast.StreamFigures;
import dev.ebb.port.history.ArchiveQueries;
import dev.ebb.port.history.AuditQueries;
import dev.ebb.port.history.ReceiptQueries;
import dev.ebb.port.history.RejectedQueries;
import dev.ebb.port.history.ReportQueries;
import dev.ebb.port.history.TrashCounts;

/**
 * Ports through which people see past and future deletes.
 *
 * @param audit deleted events and their causes
 * @param sweeps reports of sweeps
 * @param rejected records that could not be used
 * @param archive archived copies of deleted events
 * @param due events that will go
 * @param expired events that have gone recently
 * @param explain reasons why an event stays or goes
 * @param parked records that cannot be taken in yet
 * @param receipts proofs from the audit
 * @param trash deletes that can be undone
 * @param mirror comparison of SQL with the stores
 * @param figures figures of all streams
 * @param forecasts times at which stored events fall due
 * @param deletions sums of the audit by time
 * @param news signs that something has changed
 */
public record InsightPorts(
        AuditQueries audit,
        ReportQueries sweeps,
        RejectedQueries rejected,
        ArchiveQueries archive,
        DueForecast due,
        ExpiredCounts expired,
        ExplainQueries explain,
        ParkedQueries parked,
        ReceiptQueries receipts,
        TrashCounts trash,
        MirrorCheck mirror,
        StreamFigures figures,
        ForecastQueries forecasts,
        DeletionHistory deletions,
        News news) {}
