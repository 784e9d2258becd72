package dev.ebb.api.insight;

import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.PathNames;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.QueryParams;
import dev.ebb.domain.erase.EraseCase;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.history.AuditQueries;
import dev.ebb.port.history.AuditQueries.AuditFilter;
import dev.ebb.port.history.TimeRange;
import dev.ebb.wire.history.ErasureView;
import io.javalin.http.Context;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Erasures that are done, and the places where bytes of their events may remain (T-11). */
public final class ErasureResource implements ApiResource {

    private final AuditQueries audit;
    private final Clock clock;

    public ErasureResource(AuditQueries audit, Clock clock) {
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get(
                                "/v1/erase",
                                this::list,
                                "Lists erasures, with every place where bytes of their events may remain.")
                        .query("commandId", "Only the erasure of that command.")
                        .between()
                        .answers(ErasureView.Page.class),
                ApiRoute.get(
                                "/v1/erase/{case}",
                                this::get,
                                "Shows the erasures of a case, with every place where bytes of their events may remain.")
                        .between()
                        .answers(ErasureView.Page.class));
    }

    private void list(Context ctx, QueryParams params) {
        String commandId = params.text("commandId");
        TimeRange time = params.time();
        params.done();
        answer(ctx, find(time, entry -> commandId == null || commandId.equals(entry.commandId())));
    }

    private void get(Context ctx, QueryParams params) {
        TimeRange time = params.time();
        params.done();
        String caseId = PathNames.caseId(ctx);
        List<AuditRecord> found = find(time, entry -> entry.scope().equals(EraseCase.scope(caseId)));
        if (found.isEmpty()) {
            throw ProblemException.notFound("no finished erasure of case '" + caseId
                    + "' is in the audit; 'ebb command show ID' (REST: GET /v1/commands/{commandId}) shows a running"
                    + " one");
        }
        answer(ctx, found);
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

    private void answer(Context ctx, List<AuditRecord> found) {
        Instant now = clock.instant();
        ApiJson.answer(
                ctx,
                new ErasureView.Page(found.stream()
                        .sorted(Comparator.comparingLong(AuditRecord::atMs).reversed())
                        .map(entry -> ErasureView.of(entry, now))
                        .toList()));
    }
}
