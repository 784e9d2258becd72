package dev.ebb.api;

import io.javalin.http.Context;
import java.time.Clock;
import java.util.List;

/** Reports for those who must answer for the data. */
final class ReportResource implements ApiResource {

    private final ApiPorts ports;
    private final Clock clock;

    ReportResource(ApiPorts ports, Clock clock) {
        this.ports = ports;
        this.clock = clock;
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(ApiRoute.get(
                        "/v1/reports/compliance",
                        this::compliance,
                        "By scope: the policy, the oldest event, what is overdue, holds, and deletions by cause.")
                .between()
                .answers(ComplianceView.class));
    }

    private void compliance(Context ctx) {
        QueryParams params = QueryParams.of(ctx, "from", "to");
        TimeRange time = params.time();
        params.done();
        var report = new ComplianceReport(
                ports.events(), ports.insight(), ports.policies().current());
        ApiJson.answer(ctx, report.view(time, clock.instant()));
    }
}
