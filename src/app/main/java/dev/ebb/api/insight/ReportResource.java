package dev.ebb.api.insight;

import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.peers.Gathering;
import dev.ebb.api.peers.Gathering.Share;
import dev.ebb.api.peers.PeerAccess;
import dev.ebb.api.peers.PeerQuestion;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.history.TimeRange;
import dev.ebb.wire.history.ComplianceView;
import io.javalin.http.Context;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** Reports on compliance, for people who answer for the data. */
public final class ReportResource implements ApiResource {

    /** Longest wait for another instance, which counts for at most twenty seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(25);

    private final ApiPorts ports;
    private final Gathering gathering;
    private final Clock clock;

    public ReportResource(ApiPorts ports, Gathering gathering, Clock clock) {
        this.gathering = gathering;
        this.ports = ports;
        this.clock = clock;
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(ApiRoute.get(
                        "/v1/reports/compliance",
                        this::compliance,
                        "Reports by scope the policy, the oldest event, overdue events, holds, and deletions by cause.")
                .between()
                .answers(ComplianceView.class));
    }

    private void compliance(Context ctx, QueryParams params) {
        TimeRange time = params.time();
        params.done();
        PeerQuestion.allow(ctx, PATIENCE);
        PolicySet inForce = ports.policies().current();
        var gathered = gathering.gather(ctx, ComplianceView.class, share -> stored(inForce, time, share));
        ComplianceReport report = new ComplianceReport(ports.insight(), inForce);
        gathered.answers().forEach(report::add);
        if (!PeerAccess.isForwarded(ctx)) {
            report.countDeletes(time);
        }
        ApiJson.answer(ctx, report.view(time, clock.instant(), gathered.unanswered()));
    }

    private ComplianceView stored(PolicySet inForce, TimeRange time, Share share) {
        return new ComplianceReport(ports.insight(), inForce)
                .countStreams(share.partitions())
                .view(time, clock.instant(), List.of());
    }
}
