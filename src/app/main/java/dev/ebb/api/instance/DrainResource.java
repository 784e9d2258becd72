package dev.ebb.api.instance;

import dev.ebb.api.access.Role;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.peers.PeerPorts;
import dev.ebb.port.Departure;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.Placement;
import dev.ebb.wire.instance.DrainView;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Takes this instance out of the application before it is stopped for good. */
public final class DrainResource implements ApiResource {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final Placement placement;
    private final Departure departure;

    public DrainResource(PeerPorts peers) {
        this.placement = peers.placement();
        this.departure = peers.departure();
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(ApiRoute.post(
                        Role.ADMIN,
                        "/v1/drain",
                        this::drain,
                        "Hands the partitions of this instance over to the others, for good.")
                .flag("force", "Drain even if no other instance can take over.")
                .answers(DrainView.class));
    }

    private void drain(Context ctx, QueryParams params) {
        boolean isForced = params.flag("force");
        params.done();
        List<Integer> kept = departure.hasLeft() ? List.of() : kept(isForced);
        List<Integer> withoutCopy = kept.stream()
                .filter(partition -> placement.followers(partition).isEmpty())
                .toList();
        int others = others();
        if (!departure.leave()) {
            throw new NotReadyException(placement.self() + " is still finishing its work; ask again", RETRY_AFTER);
        }
        ApiJson.answer(ctx, new DrainView(placement.self(), kept, withoutCopy, others));
    }

    private List<Integer> kept(boolean isForced) {
        Map<Integer, String> keepers = placement.keepers();
        if (!isForced && others() == 0) {
            throw new ProblemException(
                    ProblemKind.CONFLICT,
                    placement.self()
                            + " is the only instance: no other would take over its partitions, and events would wait"
                            + " in Kafka. Start another one first, or use --force (force=true)");
        }
        return keepers.entrySet().stream()
                .filter(keeper -> keeper.getValue().equals(placement.self()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private int others() {
        return placement.instances().size() - 1;
    }
}
