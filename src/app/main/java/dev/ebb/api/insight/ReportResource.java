package dev.ebb.api.insight;

import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ReadRoute;
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
public record ReportResource(ApiPorts ports, Gathering gathering, Clock clock) implements ApiResource {

    /** Longest wait for another instance, which counts for at most twenty seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(25);

    @Override
    public List<ApiRoute> routes() {
        return List.of(ReadRoute.forCaller(ComplianceView.REPORT, (ctx, query) -> compliance(ctx, query.time())));
    }

    private ComplianceView compliance(Context ctx, TimeRange time) {
        PeerQuestion.allow(ctx, PATIENCE);
        PolicySet inForce = ports.policies().current();
        var gathered = gathering.gather(ctx, ComplianceView.class, share -> stored(inForce, time, share));
        ComplianceReport report = new ComplianceReport(ports.insight(), inForce);
        gathered.answers().forEach(report::add);
        if (!PeerAccess.isForwarded(ctx)) {
            report.countDeletes(time);
        }
        return report.view(time, clock.instant(), gathered.unanswered());
    }

    private ComplianceView stored(PolicySet inForce, TimeRange time, Share share) {
        return new ComplianceReport(ports.insight(), inForce)
                .countStreams(share.partitions())
                .view(time, clock.instant(), List.of());
    }
}
