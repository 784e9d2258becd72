package dev.ebb.hold;

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
import dev.ebb.api.policies.NewHolds;
import dev.ebb.api.policies.PolicyBodies;
import dev.ebb.api.policies.PolicyChanges;
import dev.ebb.api.policies.Signed;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.wire.ProblemView.Fault;
import dev.ebb.wire.policies.HoldView;
import dev.ebb.wire.policies.PolicyRecordView;
import io.javalin.http.Context;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Holds: shows those in force, places and releases them (M-18). */
public record HoldResource(PolicyAdmin policies, RequestBody body, PolicyChanges changes, KnownNames names)
        implements ApiResource {

    @Override
    public List<ApiRoute> routes() {
        String one = "/v1/holds/{case}";
        return List.of(
                ReadRoute.of(HoldView.LIST, all -> list()),
                ReadRoute.of(HoldView.SHOW, query -> HoldView.of(inForce(query.caseId()))),
                ApiRoute.put(Role.ADMIN, one, this::put, "Places a hold.")
                        .flag(NewHolds.ANYWAY, "Place the hold even if it covers no stream now.")
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
        boolean anyway = params.flag(NewHolds.ANYWAY);
        params.done();
        Hold hold = Signed.hold(ctx, PolicyBodies.hold(PathNames.caseId(ctx), body.jsonText(ctx)));
        PolicySet current = policies.current();
        if (NewHolds.coversOther(hold, current)) {
            throw new ProblemException(ProblemKind.REFUSED, NewHolds.otherCover(hold, current));
        }
        List<Fault> gaps =
                anyway || current.contains(hold.key()) ? List.of() : NewHolds.gaps(List.of(hold), names, ctx);
        if (!gaps.isEmpty()) {
            throw new ProblemException(ProblemKind.REFUSED, gaps.get(0).message());
        }
        changes.publish(
                ctx,
                new PolicyBatch(List.of(), List.of(hold), Set.of(), hold.placedBy(), ""),
                anyway ? NewHolds.warnings(List.of(hold), names, ctx) : List.of());
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
