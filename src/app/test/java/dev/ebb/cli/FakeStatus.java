package dev.ebb.cli;

import dev.ebb.port.StatusView;
import dev.ebb.port.StatusView.BrakeView;
import dev.ebb.port.StatusView.ClockView;
import dev.ebb.port.StatusView.CountsView;
import dev.ebb.port.StatusView.InputView;
import dev.ebb.port.StatusView.MirrorView;
import dev.ebb.port.StatusView.NamespaceView;
import dev.ebb.port.StatusView.ParkedView;
import dev.ebb.port.StatusView.PartitionView;
import dev.ebb.port.StatusView.PoliciesView;
import dev.ebb.port.StatusView.RemovedView;
import dev.ebb.port.StatusView.RestoreView;
import dev.ebb.port.StatusView.TrashView;
import dev.ebb.wire.UnansweredView;
import dev.ebb.wire.instance.InstancesView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The status of an instance, in which a test sets what it is about; all else is as of one with nothing to tell. */
public final class FakeStatus {

    private final String instance;
    public String state = "RUNNING";
    public boolean isSweepEnabled = true;
    public final List<Partition> partitions = new ArrayList<>();
    public final List<RestoreView> restoring = new ArrayList<>();
    public PoliciesView policies =
            new PoliciesView(-1, 0, null, List.of(), new BrakeView(20, 10_000, 604_800_000), List.of());
    public final Map<String, NamespaceView> namespaces = new TreeMap<>();
    public final Map<String, RemovedView> removed = new TreeMap<>();
    public @Nullable Long lag;
    public TrashView trash = TrashView.NOTHING;
    public ClockView clock = new ClockView(null, null);
    public @Nullable MirrorView mirror;
    public List<String> problems = List.of();

    public FakeStatus(String instance) {
        this.instance = instance;
    }

    /** The state of a partition, likewise. */
    public static final class Partition {

        private final int number;
        public String state = "idle";
        public long parkedRecords;
        public List<ParkedView> parkedFor = List.of();
        public long staleEvents;
        public Map<String, Long> staleStreams = Map.of();
        public long quarantinedStreams;
        public Map<String, String> quarantined = Map.of();

        private Partition(int number) {
            this.number = number;
        }

        private PartitionView view() {
            return new PartitionView(
                    number,
                    state,
                    null,
                    null,
                    null,
                    null,
                    7,
                    3,
                    0,
                    0,
                    parkedRecords,
                    parkedFor,
                    staleEvents,
                    staleStreams,
                    quarantinedStreams,
                    quarantined,
                    0,
                    StatusView.CommandsView.NOTHING);
        }
    }

    /** Gives it a partition. */
    public Partition partition(int number) {
        Partition partition = new Partition(number);
        partitions.add(partition);
        return partition;
    }

    /** Stores events in a namespace. */
    public FakeStatus store(String namespace, long events) {
        namespaces.put(namespace, new NamespaceView(1, events, 10 * events, 0, 0, 0));
        return this;
    }

    public StatusView view() {
        return new StatusView(
                "ebb",
                instance,
                "0",
                state,
                Instant.EPOCH,
                isSweepEnabled,
                partitions.stream().map(Partition::view).toList(),
                restoring,
                policies,
                namespaces,
                new CountsView(5, 0, 0, 0, 0, 0, removed),
                new InputView(lag),
                trash,
                clock,
                mirror,
                problems);
    }

    /** The answer of the first of these instances for all of them. */
    public static InstancesView all(int partitions, List<UnansweredView> unanswered, FakeStatus... instances) {
        List<StatusView> answers = Stream.of(instances).map(FakeStatus::view).toList();
        return InstancesView.of(instances[0].instance, partitions, answers, unanswered);
    }

    /** The answer of the first of these instances where all answer. */
    public static InstancesView all(FakeStatus... instances) {
        int partitions =
                Stream.of(instances).mapToInt(one -> one.partitions.size()).sum();
        return all(partitions, List.of(), instances);
    }
}
