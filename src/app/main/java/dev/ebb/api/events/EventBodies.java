package dev.ebb.api.events;

import dev.ebb.api.http.Audience;
import dev.ebb.api.http.JsonSlices;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventRules;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamRecord;
import dev.ebb.serde.json.Defaults;
import dev.ebb.serde.lines.EventLineParser;
import dev.ebb.serde.lines.Line;
import dev.ebb.serde.records.Decoded;
import dev.ebb.wire.ProblemView.Fault;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events and updates in the bodies of requests, with the fields of the model. The path names the stream, and for an
 * update the id; a body that names them too must name the same. Every fault is named, and one fault refuses the whole
 * body.
 */
final class EventBodies {

    /** Most faults of an answer; with more, the answer would be bigger than the body. */
    private static final int MAX_FAULTS = 1000;

    /**
     * Most records of a body: small records take far more memory once parsed than in the body, which has room for many.
     */
    private static final int MAX_RECORDS = 100_000;

    private EventBodies() {}

    /**
     * Returns the events and updates of executions in a body: one object, or an array of objects.
     *
     * @param nowMs the time of the request, epoch milliseconds
     */
    static List<StreamRecord> records(StreamName stream, String body, long nowMs) {
        List<String> objects = JsonSlices.objects(body, MAX_RECORDS);
        List<StreamRecord> records = new ArrayList<>();
        List<Fault> faults = new ArrayList<>();
        for (String object : objects) {
            Audience.require();
            if (isEnough(faults)) {
                break;
            }
            Decoded decoded = decode(object, new Defaults(stream.value(), null));
            StreamRecord record = record(decoded);
            String problem = record == null ? fault(decoded) : problem(record, stream, nowMs);
            if (problem != null) {
                faults.add(new Fault("event " + (records.size() + faults.size() + 1), problem));
            } else if (record != null) {
                records.add(record);
            }
        }
        refuse(objects.isEmpty() ? "there is no event in the body" : "the events cannot be used", objects, faults);
        return records;
    }

    private static boolean isEnough(List<Fault> faults) {
        boolean isEnough = faults.size() == MAX_FAULTS;
        if (isEnough) {
            faults.add(new Fault("body", "may have more faults than these " + MAX_FAULTS));
        }
        return isEnough;
    }

    /** Returns the update in a body: one object with at least one field to change. */
    static EventUpdate update(StreamName stream, EventId id, String body, long nowMs) {
        List<String> objects = JsonSlices.objects(body, MAX_RECORDS);
        if (objects.size() != 1) {
            throw ProblemException.badRequest("the body must be one JSON object");
        }
        Decoded decoded = decode(objects.get(0), new Defaults(stream.value(), id.value(), true));
        if (!(decoded instanceof Decoded.OfUpdate sent)) {
            throw ProblemException.badRequest("the update cannot be used: " + fault(decoded));
        }
        requireGood(sent.update(), stream, id, nowMs);
        return sent.update();
    }

    private static Decoded decode(String object, Defaults defaults) {
        Line line = EventLineParser.parse(1, object, defaults);
        return line instanceof Line.Ready ready
                ? ready.decoded()
                : new Decoded.Bad(new Rejection(RejectReason.UNDECODABLE, ((Line.Unreadable) line).message()));
    }

    /** Returns the event or execution; null if the record is something else, which cannot be posted. */
    private static @Nullable StreamRecord record(Decoded decoded) {
        if (decoded instanceof Decoded.OfEvent sent) {
            return sent.event();
        }
        return decoded instanceof Decoded.OfExecution sent ? sent.update() : null;
    }

    private static @Nullable String problem(StreamRecord record, StreamName stream, long nowMs) {
        if (!record.stream().equals(stream)) {
            return "names the stream '" + record.stream() + "', the path names '" + stream + "'";
        }
        Rejection rejection = record instanceof Event event
                ? EventRules.problem(event, nowMs, nowMs)
                : EventRules.problem((ExecutionUpdate) record, nowMs, nowMs);
        return rejection == null ? null : rejection.detail();
    }

    private static void requireGood(EventUpdate update, StreamName stream, EventId id, long nowMs) {
        if (!update.stream().equals(stream) || !update.id().equals(id)) {
            throw ProblemException.badRequest("the body and the path name different events");
        }
        if (update.equals(new EventUpdate(stream, id, null, null, null, null))) {
            throw ProblemException.badRequest("the update names nothing to change");
        }
        Rejection rejection = EventRules.problem(update, nowMs, nowMs);
        if (rejection != null) {
            throw ProblemException.badRequest(rejection.detail());
        }
    }

    private static String fault(Decoded decoded) {
        return decoded instanceof Decoded.Bad bad
                ? bad.rejection().detail()
                : "is an update; send it with PATCH to the event";
    }

    private static void refuse(String detail, List<String> objects, List<Fault> faults) {
        if (objects.isEmpty() || !faults.isEmpty()) {
            throw new ProblemException(ProblemKind.BAD_REQUEST, detail, faults);
        }
    }
}
