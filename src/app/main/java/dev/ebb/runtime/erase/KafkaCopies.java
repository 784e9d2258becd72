package dev.ebb.runtime.erase;

import dev.ebb.domain.erase.EraseRest;
import dev.ebb.domain.erase.EraseRest.Rejected;
import dev.ebb.domain.erase.EraseRest.Unread;
import dev.ebb.domain.erase.RemainingPlace;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.retention.ArchivedEvent;
import dev.ebb.runtime.erase.CopySearch.Known;
import dev.ebb.runtime.kafka.PartitionReading;
import dev.ebb.serde.records.ArchiveReader;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.trash.DeletionHeaders;
import dev.ebb.topology.trash.TrashGuard;
import dev.ebb.topology.trash.TrashKey;
import dev.ebb.topology.wire.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Copies on the topics of archived and trashed events, and rejected records. Thread-safe.
 *
 * @param pause waits between two requests to the registry
 */
public record KafkaCopies(
        TopicPlaces places,
        Supplier<Consumer<byte[], byte[]>> readers,
        Topics topics,
        ArchiveReader reader,
        RecordReader records,
        Runnable pause)
        implements Copies {

    private static final Duration PAUSE = Duration.ofMillis(50);

    /** Number of tries, which together last longer than a registry may take to answer. */
    private static final int MOST_TRIES = 400;

    /**
     * @param places asks the brokers for the settings of the topics
     * @param readers creates a consumer of committed records; connects
     * @param reader reads archived events
     * @param records reads rejected records
     */
    public KafkaCopies(
            TopicPlaces places,
            Supplier<Consumer<byte[], byte[]>> readers,
            Topics topics,
            ArchiveReader reader,
            RecordReader records) {
        this(places, readers, topics, reader, records, KafkaCopies::sleep);
    }

    @Override
    public Search search(int partition, TrashGuard guard, Wanted wanted) {
        var archive = new CopySearch(new TopicPartition(topics.archive(), partition), this::archived, wanted::isMeant);
        var trash = new CopySearch(
                new TopicPartition(topics.trash(), partition),
                (record, isClosed) -> trashed(record, guard),
                wanted::isMeant);
        var rejected =
                new RejectedSearch(new TopicPartition(topics.rejected(), partition), topics, records, wanted, pause);
        archive.start(readers);
        trash.start(readers);
        rejected.start(readers);
        return new JoinedSearch(List.of(archive, trash), rejected);
    }

    @Override
    public CompletionStage<List<RemainingPlace>> places(String namespace, EraseRest rest, long erasedMs) {
        return places.ask(namespace, rest, erasedMs);
    }

    Known archived(ConsumerRecord<byte[], byte[]> record, BooleanSupplier isClosed) {
        ArchivedEvent copy = read(record.value(), isClosed)
                .orElseThrow(() -> new CopySearch.Damaged("it is no archived event", null));
        return new Known(Kind.ARCHIVE, copy.event().event(), copy.event().storedAt(), null);
    }

    /** Waits for a request to the registry that is under way; ends the search if the registry is away. */
    private Optional<ArchivedEvent> read(byte[] value, BooleanSupplier isClosed) {
        for (int tries = 1; ; tries++) {
            try {
                return reader.readArchived(value);
            } catch (RegistryUnavailableException e) {
                if (e.kind() == Wait.Kind.SCHEMA_UNUSABLE) {
                    throw new CopySearch.Damaged("its schema cannot be had", e);
                }
                if (e.kind() != Wait.Kind.SCHEMA || tries >= MOST_TRIES || isClosed.getAsBoolean()) {
                    throw e;
                }
                pause.run();
            }
        }
    }

    private static void sleep() {
        LockSupport.parkNanos(PAUSE.toNanos());
    }

    /** Returns null for a record that holds no event: executions have no content. */
    static @Nullable Known trashed(ConsumerRecord<byte[], byte[]> record, TrashGuard guard) {
        try {
            TrashKey key = TrashKey.decode(record.key());
            if (key.kind() != TrashKey.Kind.EVENT) {
                return null;
            }
            StoredEvent kept = StoredEventCodec.decode(key.stream(), record.value());
            return new Known(Kind.TRASH, kept.event(), key.number(), waiting(record, key, guard, kept.sizeBytes()));
        } catch (IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException e) {
            throw new CopySearch.Damaged("it is no deleted event", e);
        }
    }

    /** A record without an account is erased like any other; a forged one was never counted. */
    private static @Nullable Waiting waiting(
            ConsumerRecord<byte[], byte[]> record, TrashKey key, TrashGuard guard, long bytes) {
        if (guard.isOut(key) || !guard.isGenuine(record.key(), record.value(), record.headers())) {
            return null;
        }
        try {
            return new Waiting(DeletionHeaders.read(record.headers()), bytes);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Searches on several topics as one. */
    private record JoinedSearch(List<CopySearch> searches, RejectedSearch rejectedSearch) implements Copies.Search {

        @Override
        public List<Copies.Copy> take(int most) {
            return searches.stream()
                    .map(search -> search.take(most))
                    .filter(found -> !found.isEmpty())
                    .findFirst()
                    .orElse(List.of());
        }

        @Override
        public boolean isDone() {
            return searches.stream().allMatch(CopySearch::isDone) && rejectedSearch.isDone();
        }

        @Override
        public @Nullable String problem() {
            return Stream.concat(searches.stream(), Stream.of(rejectedSearch))
                    .map(PartitionReading::problem)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }

        @Override
        public List<Unread> unread() {
            return searches.stream().flatMap(search -> search.unread().stream()).toList();
        }

        @Override
        public List<Rejected> rejected() {
            return rejectedSearch.found();
        }

        @Override
        public void close() {
            searches.forEach(CopySearch::close);
            rejectedSearch.close();
        }
    }
}
