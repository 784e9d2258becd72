package dev.ebb.runtime.reads;

import dev.ebb.domain.event.EndsInWaiting;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Decision;
import dev.ebb.port.ExplainQueries;
import dev.ebb.port.NotReadyException;
import dev.ebb.runtime.streams.PartitionStores;
import dev.ebb.store.layout.Quarantine;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.store.read.StreamContext;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.wire.StreamPartition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the stores of this instance for the standing of an event, and its tasks for the reasons why they do not sweep.
 *
 * @param tasks returns the statuses of the tasks of this instance
 */
public record LocalExplainQueries(PartitionStores stores, int partitions, Supplier<Collection<TaskStatus>> tasks)
        implements ExplainQueries {

    /** Maximum number of reads of a stream that changes meanwhile. */
    private static final int ATTEMPTS = 3;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Override
    public Optional<Standing> standing(StreamName stream, EventId id, PolicySet policies, long nowMs) {
        return read(stream, store -> standing(store, new Question(stream, id, policies, nowMs)));
    }

    @Override
    public List<String> sweepProblems(StreamName stream) {
        int partition = StreamPartition.of(stream, partitions);
        List<String> problems = new ArrayList<>();
        tasks.get().stream()
                .filter(task ->
                        task.partition() == partition && !task.sweepState().isAtWork())
                .map(task -> "the sweeper of partition " + partition + ": "
                        + task.sweepState().name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .forEach(problems::add);
        try {
            read(stream, store -> store.context(stream)).ifPresent(context -> addProblems(context, problems));
        } catch (NotReadyException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
        return problems;
    }

    @Override
    public EndsInWaiting endsInWaiting(StreamName stream) {
        try {
            return read(stream, store -> store.endsInWaiting(stream));
        } catch (NotReadyException e) {
            // The problems of the sweeper say so.
            return EndsInWaiting.NONE;
        }
    }

    private static void addProblems(StreamContext stream, List<String> problems) {
        if (stream.isMoving()) {
            problems.add("its events are being rearranged: the anchor or a TTL bound of its policy has changed");
        }
        Quarantine quarantine = stream.quarantine();
        if (quarantine != null) {
            problems.add("it has been quarantined since " + Instant.ofEpochMilli(quarantine.sinceMs()) + " ("
                    + quarantine.reason() + "); 'ebb stream repair' checks it again");
        }
    }

    private <T> T read(StreamName stream, Function<ReadOnlyEventStore, T> question) {
        return stores.read(StreamPartition.of(stream, partitions), question);
    }

    /** An answer from two states of a stream may be wrong, so it is computed again. */
    private static Optional<Standing> standing(ReadOnlyEventStore store, Question question) {
        Optional<Standing> standing = Optional.empty();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            StreamContext context = store.context(question.stream()).orElse(null);
            StoredEvent event = store.find(question.stream(), question.id()).orElse(null);
            if (context == null || event == null) {
                return Optional.empty();
            }
            standing = Optional.of(standing(context, event, question));
            if (!context.isOutdated()) {
                return standing;
            }
        }
        return standing;
    }

    private static Standing standing(StreamContext context, StoredEvent event, Question question) {
        PolicySet policies = question.policies();
        StreamName stream = question.stream();
        boolean isHeld = policies.isHeld(stream);
        @Nullable
        Decision decision = context.decide(event, policies.effective(stream), isHeld, question.nowMs(), PATIENCE);
        if (decision == null) {
            throw new NotReadyException(
                    "too many events of '" + stream + "' go before this one to tell at once whether it goes too",
                    PATIENCE);
        }
        Execution execution = context.executions().stream()
                .filter(known -> known.number() == event.event().execution())
                .findFirst()
                .orElse(null);
        return new Standing(event, decision, isHeld, execution, context.noticeUntilMs());
    }

    private record Question(StreamName stream, EventId id, PolicySet policies, long nowMs) {}
}
