package dev.ebb.cli.insight;

import dev.ebb.cli.options.Gaps;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.time.Durations;
import dev.ebb.port.StatusView;
import dev.ebb.port.StatusView.ClockView;
import dev.ebb.port.StatusView.ParkedView;
import dev.ebb.port.StatusView.PartitionView;
import dev.ebb.port.StatusView.RestoreView;
import dev.ebb.wire.UnansweredView;
import dev.ebb.wire.instance.InstancesView;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Instances and the partitions that they keep, with their problems and the progress of restores. */
final class InstanceTables {

    private final InstancesView all;
    private final Instant now;

    InstanceTables(InstancesView all, Instant now) {
        this.all = all;
        this.now = now;
    }

    /** Returns a line for each instance, also for one that gave no answer. */
    Table instances() {
        Table table = new Columns<StatusView>()
                .left("INSTANCE", StatusView::instance)
                .left("STATE", InstanceTables::state)
                .left("VERSION", StatusView::version)
                .left("STARTED", instance -> Texts.distance(instance.startedAt(), now))
                .left("PARTITIONS", InstanceTables::partitionsOf)
                .left("SWEEPING", InstanceTables::sweeping)
                .left("CLOCK", instance -> clock(instance.clock()))
                .table(all.instances());
        for (UnansweredView missing : all.unanswered()) {
            String partitions = Gaps.partitions(missing);
            Cell state = new Cell("no answer", Style.RED);
            table.row(missing.instance(), state, null, null, partitions.isEmpty() ? null : partitions, null, null);
        }
        return table;
    }

    /** Returns a line for each partition, also for one that no instance keeps at the moment. */
    Table partitions() {
        Table table = new Columns<Kept>()
                .right("#", one -> one.partition().partition())
                .left("INSTANCE", Kept::instance)
                .left("STATE", one -> one.partition().state())
                .left("LAST SWEEP", one -> Texts.distance(one.partition().lastSweepCompleted(), now))
                .left("LAST DELETE", one -> Texts.distance(one.partition().lastDeletePoint(), now))
                .left("NEXT SWEEP", one -> Texts.distance(one.partition().nextSweep(), now))
                .count("STREAMS", one -> one.partition().streams())
                .count("DUE", one -> one.partition().dueStreams())
                .count("PARKED", one -> one.partition().parkedRecords())
                .count("STALE", one -> one.partition().staleEvents())
                .table(kept());
        Cell unkept = new Cell(isAskedAway() ? "not known here" : "restoring, moving or unknown", Style.YELLOW);
        all.unkept().forEach(partition -> table.row(partition, null, unkept, null, null, null, null, null, null, null));
        return table;
    }

    private record Kept(String instance, PartitionView partition) {}

    private List<Kept> kept() {
        return all.instances().stream()
                .flatMap(instance -> instance.partitions().stream().map(one -> new Kept(instance.instance(), one)))
                .sorted(Comparator.comparingInt(one -> one.partition().partition()))
                .toList();
    }

    /**
     * Returns the quarantined streams with the reasons: work on them failed, and nothing of them is deleted until
     * {@code ebb stream repair}.
     */
    Table quarantined() {
        Table table = new Table().right("#").left("STREAM").left("REASON");
        eachPartition(partition -> quarantined(table, partition));
        return table;
    }

    private static void quarantined(Table table, PartitionView partition) {
        partition.quarantined().forEach((stream, reason) -> table.row(partition.partition(), stream, reason));
        long others = partition.quarantinedStreams() - partition.quarantined().size();
        if (others > 0) {
            table.row(partition.partition(), "and " + Texts.count(others) + " more", Texts.NONE);
        }
    }

    /** Returns the parked records, grouped by what they wait for. */
    Table waiting() {
        Table table =
                new Table().right("#").left("FOR").left("WHY").right("STREAMS").right("RECORDS");
        eachPartition(partition -> waiting(table, partition));
        return table;
    }

    private static void waiting(Table table, PartitionView partition) {
        long others = partition.parkedRecords();
        for (ParkedView parked : partition.parkedFor()) {
            table.row(
                    partition.partition(),
                    parked.waitsFor(),
                    parked.why(),
                    Texts.count(parked.streams()),
                    Texts.count(parked.records()));
            others -= parked.records();
        }
        if (others > 0) {
            String more = "and " + Texts.counted(others, "more record");
            table.row(partition.partition(), more, Texts.NONE, Texts.NONE, Texts.NONE);
        }
    }

    private void eachPartition(Consumer<PartitionView> action) {
        all.instances().forEach(instance -> instance.partitions().forEach(action));
    }

    boolean isAnyRestoring() {
        return all.instances().stream()
                .anyMatch(instance -> !instance.restoring().isEmpty());
    }

    /** Returns the stores that are being restored, with their rate and the remaining time at that rate. */
    Table restoring() {
        return new Columns<Restored>()
                .left("INSTANCE", Restored::instance)
                .left("STORE", one -> one.store().store())
                .right("#", one -> one.store().partition())
                .count("DONE", one -> one.store().done())
                .count("OF", one -> one.store().total())
                .count("A SECOND", one -> one.store().perSecond())
                .right("LEFT", one -> left(one.store()))
                .table(all.instances().stream()
                        .flatMap(instance ->
                                instance.restoring().stream().map(store -> new Restored(instance.instance(), store)))
                        .toList());
    }

    private record Restored(String instance, RestoreView store) {}

    private static String left(RestoreView store) {
        long remaining = Math.max(0, store.total() - store.done());
        return store.perSecond() == 0 ? Texts.NONE : Texts.length(Duration.ofSeconds(remaining / store.perSecond()));
    }

    private static String partitionsOf(StatusView instance) {
        String partitions = instance.partitions().stream()
                .map(partition -> String.valueOf(partition.partition()))
                .collect(Collectors.joining(", "));
        return partitions.isEmpty() ? Texts.NONE : partitions;
    }

    private static Cell state(StatusView instance) {
        return new Cell(instance.state(), instance.state().equals("RUNNING") ? Style.GREEN : Style.YELLOW);
    }

    private static Cell sweeping(StatusView instance) {
        if (!instance.sweepEnabled()) {
            return new Cell("switched off", Style.RED);
        }
        return isAway(instance) ? new Cell("ended", Style.YELLOW) : Cell.of("on");
    }

    /**
     * Returns true if the instance that gathered the answers has left the application: it no longer hears of the
     * others.
     */
    boolean isAskedAway() {
        return isAway(all.asked());
    }

    private static boolean isAway(StatusView instance) {
        return instance.state().equals("DRAINED");
    }

    private static Cell clock(ClockView clock) {
        if (clock.problem() != null) {
            return new Cell("sweeping stopped: " + clock.problem(), Style.RED);
        }
        Long ahead = clock.aheadMs();
        if (ahead == null) {
            return new Cell("not compared with the broker's", Style.DIM);
        }
        String side = ahead < 0 ? " behind the broker's" : " ahead of the broker's";
        return Cell.of(ahead == 0 ? "as the broker's" : Durations.format(Math.abs(ahead)) + side);
    }
}
