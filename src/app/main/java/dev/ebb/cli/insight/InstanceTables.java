package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.Gaps;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.policy.Durations;
import dev.ebb.wire.UnansweredView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Which instances there are, what each of them keeps, and how far those are that restore. */
final class InstanceTables {

    private final JsonNode all;
    private final Instant now;

    /** @param all the answer for all instances */
    InstanceTables(JsonNode all, Instant now) {
        this.all = all;
        this.now = now;
    }

    /** A line for each instance, also for one that gave no answer. */
    Table instances() {
        Table table = new Table()
                .left("INSTANCE")
                .left("STATE")
                .left("VERSION")
                .left("STARTED")
                .left("PARTITIONS")
                .left("SWEEPING")
                .left("CLOCK");
        for (JsonNode instance : all.path("instances")) {
            table.row(
                    instance.path("instance").asText(),
                    state(instance),
                    instance.path("version").asText(),
                    Texts.distance(instance.path("startedAt"), now),
                    partitionsOf(instance),
                    sweeping(instance),
                    clock(instance.path("clock")));
        }
        for (JsonNode missing : all.path("unanswered")) {
            String partitions = Gaps.partitions(Json.as(missing, UnansweredView.class));
            table.row(
                    missing.path("instance").asText(),
                    new Cell("no answer", Style.RED),
                    Texts.NONE,
                    Texts.NONE,
                    partitions.isEmpty() ? Texts.NONE : partitions,
                    Texts.NONE,
                    Texts.NONE);
        }
        return table;
    }

    /** A line for each partition, also for one that no instance keeps at the moment. */
    Table partitions() {
        Table table = new Table()
                .right("#")
                .left("INSTANCE")
                .left("STATE")
                .left("LAST SWEEP")
                .left("LAST DELETE")
                .left("NEXT SWEEP")
                .right("STREAMS")
                .right("DUE")
                .right("PARKED")
                .right("STALE");
        StreamSupport.stream(all.path("instances").spliterator(), false)
                .flatMap(instance -> StreamSupport.stream(
                                instance.path("partitions").spliterator(), false)
                        .map(partition -> new Kept(instance, partition)))
                .sorted(Comparator.comparingInt(
                        kept -> kept.partition().path("partition").asInt()))
                .forEach(kept -> row(table, kept));
        String unkept = isAskedAway() ? "not known here" : "restoring, moving or not known";
        for (JsonNode partition : all.path("unkept")) {
            List<Object> cells =
                    new ArrayList<>(List.of(partition.asText(), Texts.NONE, new Cell(unkept, Style.YELLOW)));
            cells.addAll(Collections.nCopies(7, Texts.NONE));
            table.row(cells.toArray());
        }
        return table;
    }

    private record Kept(JsonNode instance, JsonNode partition) {}

    private void row(Table table, Kept kept) {
        JsonNode partition = kept.partition();
        table.row(
                partition.path("partition").asText(),
                kept.instance().path("instance").asText(),
                partition.path("state").asText(),
                Texts.distance(partition.path("lastSweepCompleted"), now),
                Texts.distance(partition.path("lastDeletePoint"), now),
                Texts.distance(partition.path("nextSweep"), now),
                Texts.count(partition.path("streams")),
                Texts.count(partition.path("dueStreams")),
                Texts.count(partition.path("parkedRecords")),
                Texts.count(partition.path("staleEvents")));
    }

    boolean isAnyQuarantined() {
        return StreamSupport.stream(all.path("instances").spliterator(), false)
                .flatMap(instance ->
                        StreamSupport.stream(instance.path("partitions").spliterator(), false))
                .anyMatch(partition -> partition.path("quarantinedStreams").asLong() > 0);
    }

    /** Quarantined streams with the reasons: work on them failed, and nothing is deleted until {@code ebb stream repair}. */
    Table quarantined() {
        Table table = new Table().right("#").left("STREAM").left("REASON");
        for (JsonNode instance : all.path("instances")) {
            for (JsonNode partition : instance.path("partitions")) {
                quarantined(table, partition);
            }
        }
        return table;
    }

    private static void quarantined(Table table, JsonNode partition) {
        String number = partition.path("partition").asText();
        JsonNode named = partition.path("quarantined");
        named.properties()
                .forEach(stream ->
                        table.row(number, stream.getKey(), stream.getValue().asText()));
        long others = partition.path("quarantinedStreams").asLong() - named.size();
        if (others > 0) {
            table.row(number, "and " + Texts.count(others) + " more", Texts.NONE);
        }
    }

    boolean isAnyWaiting() {
        return StreamSupport.stream(all.path("instances").spliterator(), false)
                .flatMap(instance ->
                        StreamSupport.stream(instance.path("partitions").spliterator(), false))
                .anyMatch(partition -> partition.path("parkedRecords").asLong() > 0);
    }

    /** The records that wait to be taken in, by what they wait for. */
    Table waiting() {
        Table table =
                new Table().right("#").left("FOR").left("WHY").right("STREAMS").right("RECORDS");
        for (JsonNode instance : all.path("instances")) {
            for (JsonNode partition : instance.path("partitions")) {
                waiting(table, partition);
            }
        }
        return table;
    }

    private static void waiting(Table table, JsonNode partition) {
        String number = partition.path("partition").asText();
        long others = partition.path("parkedRecords").asLong();
        for (JsonNode parked : partition.path("parkedFor")) {
            table.row(
                    number,
                    parked.path("waitsFor").asText(),
                    ParkedListCommand.why(
                            parked.path("kind").asText(), parked.path("problem").asText()),
                    Texts.count(parked.path("streams")),
                    Texts.count(parked.path("records")));
            others -= parked.path("records").asLong();
        }
        if (others > 0) {
            table.row(number, "and " + Texts.counted(others, "more record"), Texts.NONE, Texts.NONE, Texts.NONE);
        }
    }

    boolean isAnyRestoring() {
        return StreamSupport.stream(all.path("instances").spliterator(), false)
                .anyMatch(instance -> !instance.path("restoring").isEmpty());
    }

    /** The stores that are being rebuilt, with their rate and the time that is left at that rate. */
    Table restoring() {
        Table table = new Table()
                .left("INSTANCE")
                .left("STORE")
                .right("#")
                .right("DONE")
                .right("OF")
                .right("A SECOND")
                .right("LEFT");
        for (JsonNode instance : all.path("instances")) {
            for (JsonNode store : instance.path("restoring")) {
                table.row(
                        instance.path("instance").asText(),
                        store.path("store").asText(),
                        store.path("partition").asText(),
                        Texts.count(store.path("done")),
                        Texts.count(store.path("total")),
                        Texts.count(store.path("perSecond")),
                        left(store));
            }
        }
        return table;
    }

    private static String left(JsonNode store) {
        long perSecond = store.path("perSecond").asLong();
        long remaining = store.path("total").asLong() - store.path("done").asLong();
        return perSecond == 0 ? Texts.NONE : Texts.length(Duration.ofSeconds(Math.max(0, remaining) / perSecond));
    }

    private static String partitionsOf(JsonNode instance) {
        String partitions = StreamSupport.stream(instance.path("partitions").spliterator(), false)
                .map(partition -> partition.path("partition").asText())
                .collect(Collectors.joining(", "));
        return partitions.isEmpty() ? Texts.NONE : partitions;
    }

    private static Cell state(JsonNode instance) {
        String state = instance.path("state").asText();
        return new Cell(state, state.equals("RUNNING") ? Style.GREEN : Style.YELLOW);
    }

    private static Cell sweeping(JsonNode instance) {
        if (!instance.path("sweepEnabled").asBoolean()) {
            return new Cell("switched off", Style.RED);
        }
        return isAway(instance) ? new Cell("ended", Style.YELLOW) : Cell.of("on");
    }

    /** Whether the instance that put this together has left the others: it does not hear of them any more. */
    boolean isAskedAway() {
        return StreamSupport.stream(all.path("instances").spliterator(), false)
                .anyMatch(instance -> instance.path("instance").equals(all.path("askedInstance")) && isAway(instance));
    }

    private static boolean isAway(JsonNode instance) {
        return instance.path("state").asText().equals("DRAINED");
    }

    private static Cell clock(JsonNode clock) {
        String problem = clock.path("problem").textValue();
        if (problem != null) {
            return new Cell("sweeping stopped: " + problem, Style.RED);
        }
        JsonNode ahead = clock.path("aheadMs");
        if (!ahead.isNumber()) {
            return new Cell("not compared with the broker's", Style.DIM);
        }
        String side = ahead.asLong() < 0 ? " behind the broker's" : " ahead of the broker's";
        return Cell.of(ahead.asLong() == 0 ? "as the broker's" : Durations.format(Math.abs(ahead.asLong())) + side);
    }
}
