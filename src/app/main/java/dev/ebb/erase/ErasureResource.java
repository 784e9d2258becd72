package dev.ebb.erase;

import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ReadRoute;
import dev.ebb.domain.erase.EraseCase;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.history.AuditQueries;
import dev.ebb.port.history.AuditQueries.AuditFilter;
import dev.ebb.port.history.TimeRange;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Erasures that are done, and the places where bytes of their events may remain (T-11). */
public record ErasureResource(AuditQueries audit, Clock clock) implements ApiResource {

    @Override
    public List<ApiRoute> routes() {
        return List.of(ReadRoute.of(ErasureView.LIST, this::list), ReadRoute.of(ErasureView.SHOW, this::show));
    }

    private ErasureView.Page list(ErasureView.Query query) {
        String commandId = query.commandId();
        return page(find(query.time(), entry -> commandId == null || commandId.equals(entry.commandId())));
    }

    private ErasureView.Page show(ErasureView.OfCase query) {
        String scope = EraseCase.scope(query.caseId());
        List<AuditRecord> found = find(query.time(), entry -> entry.scope().equals(scope));
        if (found.isEmpty()) {
            throw ProblemException.notFound("no finished erasure of case '" + query.caseId()
                    + "' is in the audit; 'ebb command show ID' (REST: GET /v1/commands/{commandId}) shows a running"
                    + " one");
        }
        return page(found);
    }

    private List<AuditRecord> find(TimeRange time, Predicate<AuditRecord> isMeant) {
        AuditFilter filter = AuditFilter.within(time);
        List<AuditRecord> found = Collections.synchronizedList(new ArrayList<>());
        boolean isWhole = audit.visit(
                filter,
                entry -> !entry.action().equals(AuditRecord.ERASED) || !isMeant.test(entry) || found.add(entry));
        if (!isWhole) {
            throw new NotReadyException(
                    "the audit is too long to be read in time; give 'from' and 'to' of the erasure",
                    Duration.ofSeconds(1));
        }
        return found;
    }

    private ErasureView.Page page(List<AuditRecord> found) {
        Instant now = clock.instant();
        return new ErasureView.Page(found.stream()
                .sorted(Comparator.comparingLong(AuditRecord::atMs).reversed())
                .map(entry -> ErasureView.of(entry, now))
                .toList());
    }
}
