package dev.ebb.api.insight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.access.Role;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.PathNames;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.http.RequestBody;
import dev.ebb.api.peers.Reads;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.history.ArchivedRecord;
import dev.ebb.port.history.RejectedRecord;
import dev.ebb.wire.history.RestoreView;
import dev.ebb.wire.history.RestoreView.One;
import dev.ebb.wire.history.RestoreView.Outcome;
import io.javalin.http.Context;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Brings archived events back as new events, sent to the events topic like any other. The instance that keeps the
 * stream answers, since it knows which events the stream has.
 */
public final class RestoreResource implements ApiResource {

    private static final int MOST = 500;
    private static final String RECORDS = "records";
    private static final String INCLUDE_DUE = "includeDue";

    private final ApiPorts ports;
    private final Reads reads;
    private final RequestBody body;
    private final Clock clock;

    public RestoreResource(ApiPorts ports, Reads reads, RequestBody body, Clock clock) {
        this.ports = ports;
        this.reads = reads;
        this.body = body;
        this.clock = clock;
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(ApiRoute.post(
                        Role.OPERATOR,
                        "/v1/streams/{stream}/restore",
                        this::restore,
                        "Sends archived events of the stream again, as new events. Leaves out an event whose id is stored,"
                                + " and, without includeDue, an event that the next sweep would delete again.")
                .flag("dryRun", "Only show what would happen to each event.")
                .takes(RestoreView.Input.class)
                .answers(RestoreView.class));
    }

    private void restore(Context ctx, QueryParams params) {
        boolean isDryRun = params.flag("dryRun");
        params.done();
        StreamName stream = PathNames.stream(ctx);
        RestoreView.Input input = input(body.jsonText(ctx));
        // Where another instance keeps the stream, this passes the request on before anything is read.
        Revival revival = revival(ctx, stream);
        List<One> records = new ArrayList<>();
        List<Event> events = new ArrayList<>();
        found(stream, input).forEach((place, record) -> {
            One fate = record.map(revival::of).orElseGet(() -> One.notFound(place.toString()));
            boolean isSent = !isDryRun && isWanted(fate.outcome(), input.includeDue());
            if (isSent) {
                record.ifPresent(known -> events.add(event(known)));
            }
            records.add(fate.withSent(isSent));
        });
        send(events);
        ApiJson.answer(ctx, new RestoreView(stream.value(), isDryRun, events.size(), records));
    }

    private Revival revival(Context ctx, StreamName stream) {
        PolicySet inForce = ports.policies().current();
        return new Revival(stream, reads.of(ctx), ports.insight().archive(), inForce, clock.millis());
    }

    private void send(List<Event> events) {
        if (!events.isEmpty()) {
            ports.writer().write(events);
        }
    }

    private static Event event(ArchivedRecord record) {
        return record.archived().event().event();
    }

    private static boolean isWanted(Outcome outcome, boolean includeDue) {
        return outcome == Outcome.LIVES || outcome == Outcome.PROTECTED || (outcome == Outcome.DUE && includeDue);
    }

    /** Returns the records of the stream in the requested order. */
    private Map<RejectedRecord.Id, Optional<ArchivedRecord>> found(StreamName stream, RestoreView.Input input) {
        Map<RejectedRecord.Id, Optional<ArchivedRecord>> found = new LinkedHashMap<>();
        input.records().forEach(text -> found.put(place(text), Optional.empty()));
        ports.insight().archive().read(found.keySet()).stream()
                .filter(record -> event(record).stream().equals(stream))
                .forEach(record -> found.put(record.id(), Optional.of(record)));
        return found;
    }

    private static RejectedRecord.Id place(String text) {
        RejectedRecord.Id place = RejectedRecord.Id.parse(text);
        if (place == null) {
            throw ProblemException.badRequest(
                    "'" + text + "' is not an archive record; write a partition and an offset, such as 0-17");
        }
        return place;
    }

    private static RestoreView.Input input(String text) {
        JsonNode json = ApiJson.parseStrictly(text);
        if (json == null || !json.isObject() || !json.path(RECORDS).isArray()) {
            throw ProblemException.badRequest("the body must be an object with an array 'records', such as [\"0-17\"]");
        }
        json.fieldNames().forEachRemaining(RestoreResource::requireKnown);
        if (json.has(INCLUDE_DUE) && !json.path(INCLUDE_DUE).isBoolean()) {
            throw ProblemException.badRequest("'" + INCLUDE_DUE + "' must be true or false");
        }
        List<String> records = new ArrayList<>();
        json.path(RECORDS).forEach(record -> records.add(record.asText()));
        if (records.isEmpty() || records.size() > MOST) {
            throw ProblemException.badRequest("'records' must name 1 to " + MOST + ", named " + records.size());
        }
        return new RestoreView.Input(records, json.path(INCLUDE_DUE).asBoolean());
    }

    private static void requireKnown(String field) {
        if (!field.equals(RECORDS) && !field.equals(INCLUDE_DUE)) {
            throw ProblemException.badRequest(
                    "'" + field + "' is not a known field; known here: " + RECORDS + ", " + INCLUDE_DUE);
        }
    }
}
