package dev.ebb.runtime.streams;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.files.FolderFault;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.OtherInstanceException;
import dev.ebb.port.Placement;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.runtime.life.FreezeWatch;
import dev.ebb.runtime.life.LifecycleObserver;
import dev.ebb.runtime.life.RefusedException;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.store.rocks.CommittedOffsets;
import dev.ebb.store.rocks.SharedMemory;
import dev.ebb.topology.fault.FailedRecords;
import dev.ebb.topology.observe.ClockWatch;
import dev.ebb.topology.observe.RunningTasks;
import dev.ebb.topology.wire.RecordLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsNotStartedException;
import org.jspecify.annotations.Nullable;

/** Kafka Streams, with Ebb's topology and settings. Thread-safe. */
public final class StreamsInstance implements PartitionStores {

    private final EbbConfig config;
    private final CommittedOffsets offsets = new CommittedOffsets();
    private final StreamsClients clients;
    private final KafkaStreams streams;
    private final RestoreProgress restores;
    private final LocalStores stores;
    private final StreamsPlacement placement;
    private final ThreadReplacement failures;
    private final RunningTasks tasks;
    private final FreezeWatch freeze;
    private volatile boolean hasRun;
    private volatile boolean hasLeft;

    /**
     * @param memory memory that the stores share; must outlive this object
     * @param failed the records that the topology must not try again
     * @param tasks the tasks of the topology that work here; others note them
     * @param clock the time to use where the machine's clock is wrong
     * @throws RefusedException if another instance runs on the same state
     */
    public StreamsInstance(
            EbbConfig config,
            Topology topology,
            SharedMemory memory,
            FailedRecords failed,
            RunningTasks tasks,
            ClockWatch clock,
            LifecycleObserver observer) {
        this.config = config;
        this.tasks = tasks;
        this.freeze = new FreezeWatch(StreamsSettings.session(config), System::nanoTime);
        this.clients = new StreamsClients(
                new RecordLimits(config.get(Settings.RECORD_MAX_BYTES)), offsets, TopicPlan.topics(config));
        this.restores = new RestoreProgress(System::nanoTime, observer);
        this.streams = claimState(topology, memory, failed, clock);
        this.stores = new LocalStores(streams, this::absence);
        String address = config.apiAdvertised().toString();
        this.placement = new StreamsPlacement(address, TopicPlan.topics(config), this::absence, this::members);
        streams.setGlobalStateRestoreListener(restores);
        this.failures = new ThreadReplacement(observer, System::nanoTime);
        streams.setUncaughtExceptionHandler(failures);
    }

    /** Kafka Streams locks the folder when it is created; only the message of its exception reveals a failed lock. */
    private KafkaStreams claimState(Topology topology, SharedMemory memory, FailedRecords failed, ClockWatch clock) {
        Path folder = config.get(Settings.STATE_DIR);
        String fault = FolderFault.of(folder);
        if (fault != null) {
            throw new RefusedException("state.dir=" + folder + " cannot be used: " + fault
                    + "; name a folder in which the user of this process may write");
        }
        Properties settings = StreamsSettings.of(config, memory, offsets);
        settings.put(FailedRecords.SETTING, failed);
        try {
            return new KafkaStreams(topology, settings, clients, new TrustedTime(clock, Time.SYSTEM));
        } catch (StreamsException e) {
            if (!String.valueOf(e.getMessage()).contains("in the same state directory")) {
                throw e;
            }
            throw new RefusedException("another instance runs on the state in "
                    + config.stateFolder()
                    + "; stop it, or give this one a folder of its own with state.dir");
        }
    }

    /** Sets the listener; called before the start. */
    public void listen(KafkaStreams.StateListener listener) {
        streams.setStateListener((now, before) -> {
            hasRun |= now == KafkaStreams.State.RUNNING;
            listener.onChange(now, before);
        });
    }

    /** Starts; returns when the policies in force have been read and the threads run. */
    public void start() {
        streams.start();
    }

    public KafkaStreams.State state() {
        return streams.state();
    }

    /** Returns true if policies can be read and tasks work, or are on their way to this instance. */
    boolean isRunning() {
        return streams.state().isRunningOrRebalancing();
    }

    /**
     * Returns true if requests are answered: all partitions of this instance are here, or it works on some while others
     * come or go, after a start that has been completed.
     */
    public boolean isServing() {
        KafkaStreams.State now = streams.state();
        return now == KafkaStreams.State.RUNNING || (now == KafkaStreams.State.REBALANCING && hasRun && tasks.areAny());
    }

    /**
     * Returns true if the instance ended because the state is not for this version, or input came that was taken in
     * before.
     */
    public boolean isRefused() {
        return failures.isRefused();
    }

    /** Returns the failures of the last minutes that the instance has survived; null if there are none. */
    @Nullable
    public String recentFailures() {
        return failures.recent();
    }

    /**
     * Returns true if the instance has handed its partitions to the others, or is about to, and will have none before a
     * new start.
     */
    public boolean hasLeft() {
        return hasLeft;
    }

    /** Returns the reason why neither its stores nor its place in the group can be queried; null if both can. */
    @Nullable
    public String absence() {
        return absence(streams.state(), hasLeft);
    }

    /** Kafka Streams answers queries while it runs or rebalances, and throws otherwise. */
    static @Nullable String absence(KafkaStreams.State state, boolean hasLeft) {
        if (hasLeft) {
            return state.hasCompletedShutdown()
                    ? "this instance is drained; ask another instance, or restart this one"
                    : "this instance is being drained; ask another one";
        }
        return switch (state) {
            case RUNNING, REBALANCING -> null;
            case CREATED -> "this instance has not joined the others yet";
            case PENDING_SHUTDOWN, NOT_RUNNING -> "this instance is being stopped; ask another one";
            case PENDING_ERROR, ERROR -> "this instance has failed, its log says why; ask another one";
        };
    }

    /** Returns the committed offsets of its changelogs. */
    public CommittedOffsets offsets() {
        return offsets;
    }

    public RestoreProgress restores() {
        return restores;
    }

    public Map<MetricName, ? extends Metric> metrics() {
        return streams.metrics();
    }

    /**
     * Kafka Streams itself refuses to show any store of a thread while one of the thread's tasks comes, goes or is
     * restored. A task that works is exact all the while, so only the task that is read counts.
     *
     * @throws RuntimeException {@link #missing} if no task of the partition works here
     */
    @Override
    public ReadOnlyEventStore of(int partition) {
        if (tasks.startOf(partition) == RunningTasks.NONE) {
            throw missing(partition);
        }
        requireAwake();
        return stores.of(partition, true);
    }

    private void requireAwake() {
        String problem = freeze.problem();
        if (problem != null) {
            throw NotReadyException.moving(problem, Duration.ofSeconds(1), List.of());
        }
    }

    /** Returns the watch that must be run again and again, as it says. */
    public FreezeWatch freeze() {
        return freeze;
    }

    /** An answer counts only if the same task has worked from its beginning to its end. */
    @Override
    public <T> T read(int partition, Function<ReadOnlyEventStore, T> question) {
        long start = tasks.startOf(partition);
        T answer = PartitionStores.super.read(partition, question);
        requireAwake();
        if (tasks.startOf(partition) != start) {
            throw missing(partition);
        }
        return answer;
    }

    @Override
    public RuntimeException missing(int partition) {
        NotReadyException notRunning = stores.notRunning();
        if (notRunning != null) {
            return notRunning;
        }
        String keeper = placement.keepers().get(partition);
        return keeper == null || keeper.equals(placement.self())
                ? restores.notReady(partition)
                : new OtherInstanceException("partition " + partition, keeper);
    }

    /** Returns the folders of the tasks that this instance keeps, including standby tasks. */
    public Set<Path> taskFolders() {
        if (!isRunning()) {
            return Set.of();
        }
        Path folder = config.stateFolder();
        return streams.metadataForLocalThreads().stream()
                .flatMap(thread -> Stream.concat(thread.activeTasks().stream(), thread.standbyTasks().stream()))
                .map(task -> folder.resolve(task.taskId().toString()))
                .collect(Collectors.toSet());
    }

    /**
     * Commits and stops. A member without a fixed name leaves the group, so that the next start does not wait until the
     * broker has missed it; a member with a fixed name stays and finds its partitions again.
     *
     * @return false if it did not stop in time
     */
    public boolean close(Duration timeout) {
        return close(
                timeout,
                config.get(Settings.GROUP_INSTANCE_ID).isPresent()
                        ? CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP
                        : CloseOptions.GroupMembershipOperation.LEAVE_GROUP);
    }

    /**
     * Commits, stops, and leaves the group, even with a fixed name: the others have its partitions with the next
     * heartbeat. Later queries find nothing here.
     *
     * @return false if it did not stop in time
     */
    boolean leave(Duration timeout) {
        hasLeft = true;
        return close(timeout, CloseOptions.GroupMembershipOperation.LEAVE_GROUP);
    }

    private boolean close(Duration timeout, CloseOptions.GroupMembershipOperation membership) {
        clients.hurry();
        return streams.close(CloseOptions.timeout(timeout).withGroupMembershipOperation(membership));
    }

    /**
     * Returns the stores of any partition that are here, even if another instance keeps the partition or it is being
     * restored.
     */
    public PartitionStores copies() {
        return stores.copies();
    }

    /** Returns the number of records by which the stores here lag behind, by store and partition; asks the broker. */
    public Map<String, Map<Integer, Long>> lags() {
        return stores.lags();
    }

    public Placement placement() {
        return placement;
    }

    /** Returns the members of the group; the streams may end after the check that they run. */
    private Collection<StreamsMetadata> members() {
        try {
            return streams.metadataForAllStreamsClients();
        } catch (IllegalStateException | StreamsNotStartedException e) {
            return List.of();
        }
    }
}
