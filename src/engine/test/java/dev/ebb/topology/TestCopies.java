package dev.ebb.topology;

import dev.ebb.domain.erase.EraseRest;
import dev.ebb.domain.erase.RemainingPlace;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.ArchivedEvent;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.trash.DeletionHeaders;
import dev.ebb.topology.trash.TrashGuard;
import dev.ebb.topology.trash.TrashKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/** The topics of archived and trashed events as compaction leaves them. */
public final class TestCopies implements Copies {

    private final Map<Bytes, Kept> kept = new LinkedHashMap<>();

    /** True if what a transaction has sent can be read only when the next one has begun. */
    boolean isLate;

    private long transactions;

    /** Reason why they cannot be read. */
    @Nullable
    String problem;

    /** The rest that the last erasure told. */
    EraseRest rest = EraseRest.NOTHING;

    /** Copies that cannot be read. */
    List<EraseRest.Unread> unread = List.of();

    /** Rejected records that are looked for. */
    List<EraseRest.Rejected> rejected = List.of();

    /** The searches that were begun and not closed. */
    final Set<Search> open = Collections.newSetFromMap(new IdentityHashMap<>());

    /** True if a search never comes to its end. */
    boolean isEndless;

    private record Kept(Event event, Copy copy, long transaction, Predicate<TrashGuard> isWaiting) {

        Copy copy(TrashGuard guard) {
            return isWaiting.test(guard)
                    ? copy
                    : new Copy(copy.kind(), copy.stream(), copy.id(), copy.storedAt(), copy.key(), copy.offset(), null);
        }
    }

    /** Begins the next transaction: on the topic of commands all of the last one can be read from now on. */
    void beginTransaction() {
        transactions++;
    }

    private boolean canBeRead(Kept one) {
        return !isLate || one.transaction() < transactions - 1;
    }

    void put(byte[] key, @Nullable ArchivedEvent copy) {
        if (copy == null) {
            kept.remove(Bytes.wrap(key));
            return;
        }
        Event event = copy.event().event();
        kept.put(
                Bytes.wrap(key),
                new Kept(
                        event,
                        new Copy(
                                Kind.ARCHIVE,
                                event.stream(),
                                event.id().value(),
                                copy.event().storedAt(),
                                key,
                                0,
                                null),
                        transactions,
                        guard -> true));
    }

    public void putTrash(byte[] key, byte @Nullable [] value, long offset, Headers headers) {
        TrashKey known = TrashKey.decode(key);
        if (value == null) {
            kept.remove(Bytes.wrap(key));
        } else if (known.kind() == TrashKey.Kind.EVENT) {
            StoredEvent stored = decoded(known.stream(), value);
            if (stored != null) {
                Event event = stored.event();
                Waiting waiting = new Waiting(DeletionHeaders.read(headers), stored.sizeBytes());
                kept.put(
                        Bytes.wrap(key),
                        new Kept(
                                event,
                                new Copy(Kind.TRASH, event.stream(), known.id(), known.number(), key, offset, waiting),
                                transactions,
                                guard -> !guard.isOut(known) && guard.isGenuine(key, value, headers)));
            }
        }
    }

    /** Null for the copy of an event that was damaged in the state: its bytes are kept as they were. */
    private static @Nullable StoredEvent decoded(StreamName stream, byte[] value) {
        try {
            return StoredEventCodec.decode(stream, value);
        } catch (IndexOutOfBoundsException | IllegalStateException e) {
            return null;
        }
    }

    /** Ids of the events that the topic has copies of. */
    List<String> ids(Kind kind) {
        return kept.values().stream()
                .filter(one -> one.copy().kind() == kind)
                .map(one -> one.event().id().value())
                .toList();
    }

    @Override
    public CompletionStage<List<RemainingPlace>> places(String namespace, EraseRest rest, long erasedMs) {
        this.rest = rest;
        return CompletableFuture.completedStage(
                List.of(new RemainingPlace("ebb.events", "whole events", erasedMs + 5, "s=5")));
    }

    @Override
    public Search search(int partition, TrashGuard guard, Wanted wanted) {
        Deque<Copy> found = new ArrayDeque<>();
        kept.values().stream()
                .filter(one -> canBeRead(one) && wanted.isMeant(one.event()))
                .forEach(one -> found.add(one.copy(guard)));
        Search search = new Search() {
            @Override
            public List<Copy> take(int most) {
                List<Copy> taken = new ArrayList<>();
                while (taken.size() < most && !found.isEmpty()) {
                    taken.add(found.remove());
                }
                return taken;
            }

            @Override
            public boolean isDone() {
                return found.isEmpty() && !isEndless;
            }

            @Override
            public List<EraseRest.Unread> unread() {
                return unread;
            }

            @Override
            public List<EraseRest.Rejected> rejected() {
                return rejected;
            }

            @Override
            public @Nullable String problem() {
                return problem;
            }

            @Override
            public void close() {
                open.remove(this);
            }
        };
        open.add(search);
        return search;
    }
}
