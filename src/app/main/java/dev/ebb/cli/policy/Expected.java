package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.event.StreamName;
import dev.ebb.plan.LostRows;
import dev.ebb.plan.PlannedTombstones;
import dev.ebb.plan.PolicyPlanView;
import dev.ebb.wire.forecast.ForecastView;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Events that go after a change, and when, in a sentence for the question before it; the application counts (O-26). */
public final class Expected {

    private static final Duration AHEAD = Duration.ofDays(7);

    private Expected() {}

    /** Returns what goes once the policy of the scope is removed. */
    static String withoutPolicy(RestApi rest, String scope) {
        return known(() -> {
            ObjectNode file = Json.object();
            ArrayNode kept = file.putArray("policies");
            for (JsonNode policy :
                    rest.get(RestPath.of("v1", "policies", "export")).path("policies")) {
                if (!policy.path("scope").asText().equals(scope)) {
                    kept.add(policy);
                }
            }
            // In lines, since a file has none of any length.
            return ofFile(rest, Json.pretty(file));
        });
    }

    /** Returns what goes once the file is applied, and policies that it does not have are removed. */
    static String withFile(RestApi rest, String text) {
        return known(() -> ofFile(rest, text));
    }

    private static String ofFile(RestApi rest, String text) {
        RestPath path =
                RestPath.of("v1", "policies:plan").withFlag("prune", true).with("wait", 10);
        PolicyPlanView plan = Json.as(rest.postYaml(path, text), PolicyPlanView.class);
        if (!plan.state().equals("DONE")) {
            return "How many events go is still being counted; 'ebb policy plan --prune' waits for it.";
        }
        String verdict = plan.brake().verdict();
        long going = plan.wouldDelete().events();
        return (going == 0
                        ? "Nothing would go at the next sweep"
                        : Texts.counted(going, "event") + " of "
                                + Texts.count(plan.stored().events())
                                + " would go at the next sweep, counting those that are due anyway")
                + (verdict.isEmpty() ? "" : "; " + verdict)
                + LostRows.afterOthers(plan.wouldDelete().rows())
                + PlannedTombstones.afterOthers(plan.wouldDelete().tombstones()) + ".";
    }

    /**
     * Returns what falls due once the hold is released, beside what other holds keep.
     *
     * @param covers the scope of the hold
     */
    public static String withoutHold(RestApi rest, String caseId, String covers) {
        return known(() -> {
            Instant now = Instant.now();
            ForecastView before = forecast(rest, now, covers, null);
            ForecastView after = forecast(rest, now, covers, caseId);
            long atOnce = more(
                    before, after, row -> row.overdue().events() + row.sooner().events());
            long later = more(before, after, row -> row.due().stream()
                    .mapToLong(ForecastView.DueView::events)
                    .sum());
            boolean isExact =
                    after.exact() && after.readEvents() >= after.stored().events();
            String about = isExact ? "" : "about ";
            return (atOnce == 0
                            ? "Nothing falls"
                            : (isExact ? "" : "About ")
                                    + Texts.counted(atOnce, "event")
                                    + (atOnce == 1 ? " falls" : " fall"))
                    + " due at once, and "
                    + (later == 0 ? "nothing" : about + Texts.count(later)) + " more within 7 days.";
        });
    }

    private static ForecastView forecast(RestApi rest, Instant from, String covers, @Nullable String released) {
        String name = covers.substring(covers.indexOf(':') + 1);
        RestPath path = RestPath.of("v1", "forecast")
                .with("released", released)
                .with("from", from.toString())
                .with("to", from.plus(AHEAD).toString())
                .with("step", "7d")
                .with("namespace", covers.startsWith("stream:") ? new StreamName(name).namespace() : name);
        return Json.as(rest.get(path), ForecastView.class);
    }

    private static long more(
            ForecastView before, ForecastView after, ToLongFunction<ForecastView.NamespaceView> count) {
        long sum = after.namespaces().stream().mapToLong(count).sum()
                - before.namespaces().stream().mapToLong(count).sum();
        return Math.max(0, sum);
    }

    /** A question may be answered although the application cannot count now. */
    private static String known(Supplier<String> count) {
        try {
            return count.get();
        } catch (CommandFailure e) {
            return "How many events go is not known now: " + e.getMessage();
        }
    }
}
