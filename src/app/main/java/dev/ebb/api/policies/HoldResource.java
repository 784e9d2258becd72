package dev.ebb.api.policies;

import dev.ebb.api.access.Role;
import dev.ebb.api.door.Guard;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.PathNames;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.http.ReadRoute;
import dev.ebb.api.http.RequestBody;
import dev.ebb.api.names.KnownNames;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.wire.ProblemView.Fault;
import dev.ebb.wire.policies.HoldView;
import dev.ebb.wire.policies.PolicyRecordView;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Holds: shows those in force, places and releases them (M-18). */
public record HoldResource(PolicyAdmin policies, RequestBody body, PolicyChanges changes, KnownNames names)
        implements ApiResource {

    /** Parameter with which a hold is placed although it covers nothing now. */
    static final String ANYWAY = "anyway";

    @Override
    public List<ApiRoute> routes() {
        String one = "/v1/holds/{case}";
        return List.of(
                ReadRoute.of(HoldView.LIST, all -> list()),
                ReadRoute.of(HoldView.SHOW, query -> HoldView.of(inForce(query.caseId()))),
                ApiRoute.put(Role.ADMIN, one, this::put, "Places a hold.")
                        .flag(ANYWAY, "Place the hold even if it covers no stream now.")
                        .takes("HoldInput")
                        .answersInTime(PolicyRecordView.Changed.class),
                ApiRoute.delete(Role.ADMIN, one, this::delete, "Releases a hold, or withdraws one that waits.")
                        .authored("release")
                        .answersInTime(PolicyRecordView.Changed.class));
    }

    private HoldView.All list() {
        PolicySet current = policies.current();
        List<HoldView> holds = current.holds().values().stream()
                .sorted(Comparator.comparing(Hold::caseId))
                .map(HoldView::of)
                .toList();
        return new HoldView.All(current.version(), holds);
    }

    /** Places a hold; placing the same hold again changes nothing but its reason. */
    private void put(Context ctx, QueryParams params) {
        boolean anyway = params.flag(ANYWAY);
        params.done();
        Hold hold = Signed.hold(ctx, PolicyBodies.hold(PathNames.caseId(ctx), body.jsonText(ctx)));
        PolicySet current = policies.current();
        if (coversOther(hold, current)) {
            throw new ProblemException(ProblemKind.REFUSED, otherCover(hold, current));
        }
        List<Fault> gaps = anyway || current.contains(hold.key()) ? List.of() : gaps(List.of(hold), names, ctx);
        if (!gaps.isEmpty()) {
            throw new ProblemException(ProblemKind.REFUSED, gaps.get(0).message());
        }
        changes.publish(
                ctx,
                new PolicyBatch(List.of(), List.of(hold), Set.of(), hold.placedBy(), ""),
                anyway ? warnings(List.of(hold), names, ctx) : List.of());
    }

    /** Returns a warning for each hold that covers nothing now and is placed all the same (O-23). */
    static List<Fault> warnings(List<Hold> holds, KnownNames names, Context ctx) {
        List<Fault> warnings = new ArrayList<>();
        for (Hold hold : holds) {
            String gap = names.gap(ctx, hold.covers());
            if (gap != null) {
                warnings.add(new Fault(hold.key().toString(), "the hold covers nothing now: " + gap));
            }
        }
        return warnings;
    }

    private void delete(Context ctx, QueryParams params) {
        String caseId = PathNames.caseId(ctx);
        PolicyKey key = PolicyKey.ofHold(caseId);
        if (!policies.current().contains(key) && policies.waiting(key).isEmpty()) {
            throw noHold(caseId);
        }
        params.done();
        changes.remove(ctx, key, Guard.actor(ctx, params.text("actor", "")), params.text("reason", ""));
    }

    /** Returns true if the case is in force and covers something else, which only its release can end. */
    static boolean coversOther(Hold hold, PolicySet current) {
        Hold before = current.holds().get(hold.caseId());
        return before != null && !before.covers().equals(hold.covers());
    }

    /** Returns a fault for each hold that covers nothing now: its author believes that something is kept (O-23). */
    static List<Fault> gaps(List<Hold> holds, KnownNames names, Context ctx) {
        Map<Scope, String> gaps =
                names.lastingGaps(ctx, holds.stream().map(Hold::covers).toList());
        List<Fault> faults = new ArrayList<>();
        for (Hold hold : holds) {
            String gap = gaps.get(hold.covers());
            if (gap != null) {
                faults.add(new Fault(
                        hold.key().toString(),
                        "the hold covers nothing: " + gap
                                + ". Correct its scope, or place it all the same with --yes, in REST with "
                                + ANYWAY));
            }
        }
        return faults;
    }

    static String otherCover(Hold hold, PolicySet current) {
        Hold before = current.holds().getOrDefault(hold.caseId(), hold);
        return "the case '" + hold.caseId() + "' covers " + before.covers()
                + "; release it first, or place another case";
    }

    private Hold inForce(String caseId) {
        Hold hold = policies.current().holds().get(caseId);
        if (hold == null) {
            throw noHold(caseId);
        }
        return hold;
    }

    private static ProblemException noHold(String caseId) {
        return ProblemException.notFound("there is no hold '" + caseId + "'");
    }
}
