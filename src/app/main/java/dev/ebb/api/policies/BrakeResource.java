package dev.ebb.api.policies;

import dev.ebb.api.access.Role;
import dev.ebb.api.door.Guard;
import dev.ebb.api.door.SecondPerson;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.api.http.QueryParams;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.port.PolicyAdmin.Outcome;
import dev.ebb.port.WaitingPolicyView;
import dev.ebb.wire.policies.PolicyRecordView;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Changes that the brake holds back, and their confirmation (O-8). */
public record BrakeResource(PolicyAdmin policies, Duration patience, SecondPerson second) implements ApiResource {

    @Override
    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get(
                                "/v1/policies/waiting",
                                this::list,
                                "Lists the changes of policies and holds that the brake holds back.")
                        .answers(WaitingPolicyView.All.class),
                ApiRoute.post(
                                Role.ADMIN,
                                "/v1/policies/confirm",
                                this::confirm,
                                "Confirms a change that the brake holds back.")
                        .query("key", "The scope, or hold:<case>.")
                        .query("version", "Version of the change that waits. Default: any.")
                        .query(
                                "wouldDelete",
                                "Number of events that it would delete, as the list has told. Where that says at least so"
                                        + " many, all that are stored count. If it would delete more by now, it still"
                                        + " waits. Default: the number that is known when the request comes.")
                        .query(
                                "records",
                                "Number of policies and holds that the list has shown under that version. If another change"
                                        + " has replaced some of them, the rest still waits. Default: those that wait"
                                        + " when the request comes.")
                        .authored("confirmation")
                        .answersInTime(PolicyRecordView.Changed.class));
    }

    private void list(Context ctx, QueryParams params) {
        params.done();
        ApiJson.answer(
                ctx,
                new WaitingPolicyView.All(
                        policies.waiting().stream().map(WaitingPolicyView::of).toList()));
    }

    private void confirm(Context ctx, QueryParams params) {
        PolicyKey key = params.policyKey("key");
        Long version = params.number("version");
        Long wouldDelete = params.number("wouldDelete");
        Long records = params.number("records");
        String actor = Guard.actor(ctx, params.text("actor", ""));
        String reason = params.text("reason", "");
        params.done();
        List<WaitingPolicy> all = policies.waiting();
        WaitingPolicy waiting = waiting(all, Objects.requireNonNull(key), version);
        second.require(ctx, waiting.actor(), "asked for this change");
        List<PolicyKey> together = together(all, waiting);
        long seen = records == null ? together.size() : records;
        Outcome outcome = policies.confirm(told(waiting, wouldDelete), seen, actor, reason, patience)
                .orElseThrow(() -> gone(waiting.version(), key));
        outcome.waiting().forEach(BrakeResource::refuse);
        ctx.status(outcome.isInForce() ? 200 : 202);
        ApiJson.answer(ctx, changed(outcome, together));
    }

    private static WaitingPolicy waiting(List<WaitingPolicy> all, PolicyKey key, @Nullable Long version) {
        WaitingPolicy waiting = all.stream()
                .filter(each -> each.key().equals(key))
                .findFirst()
                .orElseThrow(() -> ProblemException.notFound("no change of '" + key + "' waits for a confirmation"));
        if (version != null && version != waiting.version()) {
            throw new ProblemException(
                    ProblemKind.CONFLICT,
                    "version " + version + " of " + key + " does not wait; version " + waiting.version() + " does");
        }
        return waiting;
    }

    /** Returns the change with the count that the caller has seen. */
    private static WaitingPolicy told(WaitingPolicy waiting, @Nullable Long wouldDelete) {
        if (wouldDelete == null) {
            return waiting;
        }
        BrakeFinding known = waiting.finding();
        // The list shows the number of a count that stopped early with the words "at least", and the caller repeats it.
        if (known != null && known.isAtLeast() && known.wouldDelete() == wouldDelete) {
            return waiting;
        }
        BrakeFinding told = new BrakeFinding(wouldDelete, false, known == null ? 0 : known.stored());
        return new WaitingPolicy(
                waiting.key(), waiting.version(), waiting.actor(), waiting.sinceMs(), waiting.why(), told);
    }

    /** Refuses a confirmation that saw another count, one that is still to come, or other records. */
    private static void refuse(WaitingPolicy still) {
        throw new ProblemException(
                ProblemKind.CONFLICT,
                "version " + still.version() + " of " + still.key() + " waits still, and nothing was confirmed: "
                        + still.why() + ". List again what waits, then confirm that");
    }

    private static ProblemException gone(long version, PolicyKey key) {
        return new ProblemException(
                ProblemKind.CONFLICT,
                "version " + version + " of " + key + " does not wait any more: it is in force, or a newer one took its"
                        + " place");
    }

    /** Returns the keys that come into force together with a confirmed one: those of the records of one file. */
    private static List<PolicyKey> together(List<WaitingPolicy> all, WaitingPolicy confirmed) {
        return all.stream()
                .filter(each -> each.version() == confirmed.version())
                .map(WaitingPolicy::key)
                .toList();
    }

    private PolicyRecordView.Changed changed(Outcome outcome, List<PolicyKey> keys) {
        PolicySet current = policies.current();
        Map<Boolean, List<String>> bySet = keys.stream()
                .collect(Collectors.partitioningBy(
                        key -> !outcome.isInForce() || current.contains(key),
                        Collectors.mapping(PolicyKey::toString, Collectors.toList())));
        return new PolicyRecordView.Changed(
                outcome.isInForce(),
                outcome.version(),
                bySet.getOrDefault(true, List.of()),
                bySet.getOrDefault(false, List.of()),
                List.of(),
                List.of(),
                List.of());
    }
}
