package dev.ebb.port;

import dev.ebb.port.history.ArchiveQueries;
import dev.ebb.port.history.AuditQueries;
import dev.ebb.port.history.RejectedQueries;
import dev.ebb.port.history.ReportQueries;

/**
 * What people look at to see what was done and what will be.
 *
 * @param audit what was deleted and why
 * @param sweeps what sweeps did
 * @param rejected what could not be used
 * @param archive what was deleted, where it was archived
 * @param due what will go
 * @param expired what has gone of late
 * @param explain why an event stays or goes
 * @param parked what cannot be taken in yet
 * @param mirror whether SQL has what is stored
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
        MirrorCheck mirror) {}
