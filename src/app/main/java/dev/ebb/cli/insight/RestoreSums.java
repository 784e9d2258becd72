package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.history.RestoreView;
import dev.ebb.wire.history.RestoreView.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Outcomes for archived events that come back, by stream. Another thread may ask for their number. */
final class RestoreSums {

    private static final int SHOWN = 20;

    private final Map<String, Tally> streams = new TreeMap<>();
    private volatile Tally all = Tally.NOTHING;

    /** Numbers of events by outcome. */
    private record Tally(long lives, long guarded, long due, long there, long notFound, long sent, long bytes) {

        static final Tally NOTHING = new Tally(0, 0, 0, 0, 0, 0, 0);

        static Tally of(RestoreView.One record) {
            Outcome outcome = record.outcome();
            return new Tally(
                    one(outcome == Outcome.LIVES),
                    one(outcome == Outcome.PROTECTED),
                    one(outcome == Outcome.DUE),
                    one(outcome == Outcome.THERE),
                    one(outcome == Outcome.NOT_FOUND),
                    one(record.sent()),
                    record.bytes());
        }

        private static long one(boolean isSo) {
            return isSo ? 1 : 0;
        }

        Tally plus(Tally other) {
            return new Tally(
                    lives + other.lives,
                    guarded + other.guarded,
                    due + other.due,
                    there + other.there,
                    notFound + other.notFound,
                    sent + other.sent,
                    bytes + other.bytes);
        }

        long total() {
            return lives + guarded + due + there + notFound;
        }

        ObjectNode json() {
            return Json.object()
                    .put("events", total())
                    .put("bytes", bytes)
                    .put("lives", lives)
                    .put("protected", guarded)
                    .put("due", due)
                    .put("there", there)
                    .put("notFound", notFound)
                    .put("sent", sent);
        }
    }

    void add(String stream, RestoreView answer) {
        Tally tally = answer.records().stream().map(Tally::of).reduce(Tally.NOTHING, Tally::plus);
        streams.merge(stream, tally, Tally::plus);
        all = all.plus(tally);
    }

    long total() {
        return all.total();
    }

    long sent() {
        return all.sent();
    }

    long due() {
        return all.due();
    }

    long protectedOnes() {
        return all.guarded();
    }

    long notFound() {
        return all.notFound();
    }

    /** Returns the number of events that would be sent. */
    long toSend(boolean includeDue) {
        return all.lives() + all.guarded() + (includeDue ? all.due() : 0);
    }

    ObjectNode json() {
        ObjectNode json = all.json();
        ObjectNode byStream = json.putObject("streams");
        streams.forEach((stream, tally) -> byStream.set(stream, tally.json()));
        return json;
    }

    /** Returns the streams with the most events, in descending order. */
    Table table() {
        List<Map.Entry<String, Tally>> rows = new ArrayList<>(streams.entrySet().stream()
                .sorted(Comparator.<Map.Entry<String, Tally>>comparingLong(
                                entry -> -entry.getValue().total())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(SHOWN)
                .toList());
        long others = streams.size() - (long) rows.size();
        if (others > 0) {
            Tally shown = rows.stream().map(Map.Entry::getValue).reduce(Tally.NOTHING, Tally::plus);
            rows.add(Map.entry("and " + Texts.counted(others, "more stream"), all.plus(negated(shown))));
        }
        return table(rows);
    }

    private static Tally negated(Tally tally) {
        return new Tally(
                -tally.lives(),
                -tally.guarded(),
                -tally.due(),
                -tally.there(),
                -tally.notFound(),
                -tally.sent(),
                -tally.bytes());
    }

    private static Table table(List<Map.Entry<String, Tally>> rows) {
        return new Columns<Map.Entry<String, Tally>>()
                .left("STREAM", Map.Entry::getKey)
                .count("EVENTS", row -> row.getValue().total())
                .bytes("BYTES", row -> row.getValue().bytes())
                .count("STAY", row -> row.getValue().lives())
                .count("PROTECTED", row -> row.getValue().guarded())
                .count("DUE AGAIN", row -> row.getValue().due())
                .count("THERE", row -> row.getValue().there())
                .table(rows);
    }
}
