package dev.ebb.api.insight;

import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.PathNames;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.QueryParams;
import dev.ebb.domain.policy.change.PolicyChange;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.port.history.AuditQueries;
import dev.ebb.port.history.AuditQueries.AuditFilter;
import dev.ebb.port.history.HistoryPage;
import dev.ebb.wire.history.AuditView;
import io.javalin.http.Context;
import java.util.List;
import java.util.stream.Stream;

/** The audit: deletions, their reasons, and the rules that led to them. */
public final class AuditResource implements ApiResource {

    private static final List<String> CAUSES =
            Stream.of(RemovalCause.values()).map(RemovalCause::name).toList();

    private static final List<String> ACTIONS = Stream.of(
                    Stream.of(
                            AuditFilter.CHANGE,
                            AuditRecord.DELETE,
                            AuditRecord.RESTORE,
                            AuditRecord.DONE,
                            AuditRecord.ERASED,
                            AuditRecord.MIRROR_REPAIRED,
                            AuditRecord.USAGE_REPAIRED),
                    Stream.of(PolicyChange.Action.values()).map(PolicyChange.Action::name))
            .flatMap(names -> names)
            .toList();

    private final AuditQueries audit;

    public AuditResource(AuditQueries audit) {
        this.audit = audit;
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get("/v1/audit", this::list, "Lists deletes and changes of policies, newest first.")
                        .query("stream", "Stream of the deletes. Default: all.")
                        .query("namespace", "Namespace of the deletes. Default: all.")
                        .query("cause", "Cause: " + String.join(", ", CAUSES) + ".")
                        .query("actor", "Author of the change or command. Default: all.")
                        .query("sweep", "Sweep or command that deleted the events. Default: all.")
                        .query("event", "Id of an event that was deleted, brought back or repaired. Default: all.")
                        .query(
                                "policy",
                                "Scope of a policy, such as namespace:orders: the changes of this policy and the deletes"
                                        + " that it caused. With @ and a version, only those of that version. Default: all.")
                        .query(
                                "action",
                                "Action: " + String.join(", ", ACTIONS) + "; CHANGE is any change of a policy or hold.")
                        .between()
                        .paged()
                        .answers(AuditView.Page.class),
                ApiRoute.get("/v1/audit/{id}", this::get, "Shows one audit record, with the ids of the deleted events.")
                        .answers(AuditView.class));
    }

    private void list(Context ctx, QueryParams params) {
        AuditFilter filter = new AuditFilter(
                params.text("stream"),
                params.text("namespace"),
                params.word("cause", CAUSES),
                params.text("actor"),
                params.text("sweep"),
                params.text("event"),
                params.text("policy"),
                params.word("action", ACTIONS),
                params.time());
        int limit = params.limit();
        params.done();
        HistoryPage<AuditRecord> page = audit.list(filter, params.text("after"), limit);
        ApiJson.answer(
                ctx,
                new AuditView.Page(
                        page.items().stream().map(AuditView::withoutIds).toList(), page.next()));
    }

    private void get(Context ctx, QueryParams params) {
        params.done();
        String id = PathNames.text(ctx, "id");
        AuditRecord entry = audit.find(id)
                .orElseThrow(() -> ProblemException.notFound(
                        "there is no audit record '" + id + "', or it is past the retention of the topic"));
        ApiJson.answer(ctx, AuditView.withIds(entry));
    }
}
