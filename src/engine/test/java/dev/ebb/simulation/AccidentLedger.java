package dev.ebb.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.NotReturned;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.domain.undo.UndoOutcome;
import dev.ebb.domain.undo.UndoOutcome.Left;
import dev.ebb.simulation.AccidentLaw.Key;
import dev.ebb.simulation.AccidentLaw.Picture;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.topology.trash.DeletionHeaders;
import dev.ebb.topology.trash.TrashKey;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What waits in the trash, event by event, and what an undo owes (T-2, T-3). Not thread-safe. */
final class AccidentLedger {

    /** All that went, in the order of the trash. */
    private final List<Gone> all = new ArrayList<>();

    private final Map<Key, Gone> waiting = new LinkedHashMap<>();

    /** What an erasure may have left. */
    private final Map<Key, Gone> mayWait = new LinkedHashMap<>();

    /** What undos have taken out of the trash, by the undo. */
    private final Map<String, List<Gone>> returned = new HashMap<>();

    /** The last millisecond at which no policy may take what is back, at the least (T-3). */
    private final Map<Key, Long> notices = new HashMap<>();

    /** An event that went, as the trash has it. */
    record Gone(Key key, StoredEvent event, Deletion deletion) {}

    /** Takes a record of the trash. */
    void trashed(Message message) {
        TrashKey key = TrashKey.decode(Objects.requireNonNull(message.key()));
        if (key.kind() != TrashKey.Kind.EVENT) {
            return;
        }
        if (message.value() == null) {
            String undoId = EbbHeaders.text(message.headers(), EbbHeaders.COMMAND_ID);
            if (undoId != null) {
                takenOut(new Key(key.stream(), key.id(), key.number()), undoId);
            }
        } else {
            StreamName stream = key.stream();
            StoredEvent event = StoredEventCodec.decode(stream, message.value());
            Gone gone = new Gone(Key.of(event), event, DeletionHeaders.read(message.headers()));
            all.add(gone);
            waiting.put(gone.key(), gone);
            mayWait.remove(gone.key());
        }
    }

    private void takenOut(Key key, String undoId) {
        Gone left = mayWait.remove(key);
        Gone gone = waiting.containsKey(key) ? waiting.remove(key) : left;
        assertThat(gone).as(key + " is back, and did not wait").isNotNull();
        returned.computeIfAbsent(undoId, id -> new ArrayList<>()).add(gone);
    }

    /** What waits of an event; null if nothing does. */
    @Nullable
    Gone of(Key key) {
        return waiting.get(key);
    }

    /** Returns true if an undo has brought the event back so shortly before that no policy may take it (T-3). */
    boolean isUnderNotice(Key key, long atMs) {
        return atMs <= notices.getOrDefault(key, -1L);
    }

    List<Gone> all() {
        return all;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** An erasure is done: copies that match are gone; those of held streams and of protected events may be left. */
    void erased(Command.EraseEvents erase, Picture before, Picture after) {
        List<Gone> meant = waiting.values().stream()
                .filter(gone -> AccidentLaw.isMeant(erase, gone.event().event()))
                .toList();
        for (Gone gone : meant) {
            waiting.remove(gone.key());
            StreamName stream = gone.key().stream();
            boolean isHeld = Stream.of(before, after)
                    .flatMap(picture -> picture.policies().stream())
                    .anyMatch(policies -> policies.isHeld(stream));
            if (isHeld || gone.event().isProtected()) {
                mayWait.put(gone.key(), gone);
            }
        }
    }

    /**
     * Holds an undo against what went. Each event that is back was meant, could be undone, and is equal byte for byte;
     * each other that was meant is named, with a reason that is true.
     *
     * @param audits of the deletes that went on beside it: they may take what has come back, and it may bring back what they
     *     have taken
     * @param sentMs time at which it was sent; when it ended is that of the picture
     * @return what is back, and has not gone again
     */
    Set<Key> undone(
            CommandRequest request,
            CommandResult result,
            Picture before,
            Picture after,
            List<AuditRecord> audits,
            long sentMs) {
        Command.UndoDeletes undo = (Command.UndoDeletes) request.command();
        UndoFilter filter = undo.filter();
        List<Gone> came = returned.getOrDefault(request.commandId(), List.of());
        for (Gone gone : came) {
            assertThat(filter.isMet(gone.key().stream(), gone.deletion()))
                    .as(filter + " means " + gone)
                    .isTrue();
            assertThat(gone.deletion().isOpen(sentMs))
                    .as(gone + " was final at " + sentMs)
                    .isTrue();
            assertThat(AccidentLaw.asSent(after.events().getOrDefault(gone.key(), gone.event())))
                    .as("what is back")
                    .isEqualTo(AccidentLaw.asSent(gone.event()));
        }
        Set<Key> back = came.stream().map(Gone::key).collect(Collectors.toSet());
        back.forEach(key -> notices.put(key, sentMs + AccidentPlay.NOTICE_MS));
        Set<Key> more = new HashSet<>(after.events().keySet());
        more.removeAll(before.events().keySet());
        assertThat(back).as("what waited").containsAll(more);
        requireAccount(came, before, after, audits);
        if (result.state() == CommandResult.State.DONE) {
            UndoOutcome outcome = Objects.requireNonNull(result.undo());
            assertThat(outcome.events()).as(outcome + " says").isEqualTo(came.size());
            requireReasons(undo, outcome, back, before, after, sentMs);
        }
        back.retainAll(after.events().keySet());
        return back;
    }

    /** Of each id, as many are stored as were before, less what went, and what has come out of the trash: nothing arrives. */
    private static void requireAccount(List<Gone> came, Picture before, Picture after, List<AuditRecord> audits) {
        List<String> there = names(after.events().keySet().stream());
        audits.forEach(audit -> audit.eventIds().forEach(id -> there.add(audit.stream() + " " + id)));
        List<String> due = names(before.events().keySet().stream());
        due.addAll(names(came.stream().map(Gone::key)));
        assertThat(there).as("what is stored, or went beside an undo").containsExactlyInAnyOrderElementsOf(due);
    }

    private static List<String> names(Stream<Key> keys) {
        return keys.map(key -> key.stream().value() + " " + key.id()).collect(Collectors.toCollection(ArrayList::new));
    }

    private void requireReasons(
            Command.UndoDeletes undo, UndoOutcome outcome, Set<Key> back, Picture before, Picture after, long sentMs) {
        UndoFilter filter = undo.filter();
        long said = outcome.notReturned().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        Map<Key, Gone> owed = new LinkedHashMap<>(waiting);
        // The undo may not have seen what went while it ran.
        owed.values()
                .removeIf(gone ->
                        gone.deletion().deletedAtMs() >= sentMs || !filter.isMet(gone.key().stream(), gone.deletion()));
        assertThat(said)
                .as("reasons of " + outcome + " for " + owed.values())
                .isGreaterThanOrEqualTo(owed.values().stream()
                        .filter(gone -> gone.deletion().isOpen(after.trustedMs()))
                        .count());
        if (said > UndoOutcome.MOST_NAMED) {
            return;
        }
        for (Gone gone : owed.values()) {
            if (gone.deletion().isOpen(after.trustedMs())) {
                requireReason(gone, undo, outcome, back, before, after);
            }
        }
    }

    private void requireReason(
            Gone gone, Command.UndoDeletes undo, UndoOutcome outcome, Set<Key> back, Picture before, Picture after) {
        UndoFilter filter = undo.filter();
        Key key = gone.key();
        boolean isSupersededNow = back.stream().anyMatch(key::isOtherFormOf);
        boolean isSuperseded = all.subList(all.lastIndexOf(gone) + 1, all.size()).stream()
                .anyMatch(later ->
                        later.key().isOtherFormOf(key) && filter.isMet(later.key().stream(), later.deletion()));
        // What used the id may have gone behind the undo that met it. Nothing arrives while one runs.
        boolean isReused = Stream.of(before, after)
                .flatMap(picture -> picture.events().keySet().stream())
                .anyMatch(key::isOtherFormOf);
        List<NotReturned> reasons = new ArrayList<>();
        if (isSuperseded) {
            reasons.add(NotReturned.SUPERSEDED);
        }
        if (isReused && !isSupersededNow) {
            reasons.add(NotReturned.REUSED);
        }
        assertThat(outcome.named())
                .as(gone + " is owed, for one of " + reasons)
                .anyMatch(left -> isOf(left, key) && reasons.contains(left.reason()));
    }

    private static boolean isOf(Left left, Key key) {
        return left.stream().equals(key.stream().value()) && left.id().equals(key.id());
    }
}
