package dev.ebb.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome.Left;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.NotReturned;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.simulation.AccidentLaw.Key;
import dev.ebb.simulation.AccidentLaw.Picture;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.topology.Outcomes;
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

    /** By their keys in the trash: after a clock went back, two forms of an event can have one time. */
    private final Map<TrashKey, Gone> waiting = new LinkedHashMap<>();

    /** What an erasure may have left. */
    private final Map<TrashKey, Gone> mayWait = new LinkedHashMap<>();

    /** What waited, and was lost. */
    private final List<Gone> lost = new ArrayList<>();

    /** Number of the lost records that an erasure may have taken before, or that are of executions. */
    private long mayBeLost;

    /** What undos have taken out of the trash, by the undo. */
    private final Map<String, List<Gone>> returned = new HashMap<>();

    /** The last millisecond at which no policy may take what is back, at the least (T-3). */
    private final Map<Key, Long> notices = new HashMap<>();

    /**
     * An event that went, as the trash has it.
     *
     * @param sid the number of the stream that it went from
     */
    record Gone(TrashKey place, Key key, StoredEvent event, Deletion deletion, long sid) {

        /** Later streams of a name come before later records: a deleted stream is emptied bit by bit. */
        boolean isNewerThan(Gone other) {
            return sid == other.sid ? place.serial() > other.place.serial() : sid > other.sid;
        }
    }

    /** Takes a record of the trash. */
    void trashed(Message message) {
        TrashKey key = TrashKey.decode(Objects.requireNonNull(message.key()));
        if (key.kind() != TrashKey.Kind.EVENT) {
            return;
        }
        if (message.value() == null) {
            String undoId = EbbHeaders.text(message.headers(), EbbHeaders.COMMAND_ID);
            if (undoId != null) {
                takenOut(key, undoId);
            }
        } else {
            Gone gone = gone(key, message);
            all.add(gone);
            waiting.put(key, gone);
        }
    }

    private static Gone gone(TrashKey key, Message message) {
        StoredEvent event = StoredEventCodec.decode(key.stream(), Objects.requireNonNull(message.value()));
        long sid = EbbHeaders.number(message.headers(), EbbHeaders.STREAM_NUMBER, 0);
        return new Gone(key, Key.of(event), event, DeletionHeaders.read(message.headers()), sid);
    }

    /** A record of the trash is lost. */
    void lost(Message message) {
        TrashKey key = TrashKey.decode(Objects.requireNonNull(message.key()));
        if (message.value() == null || key.kind() == TrashKey.Kind.EXECUTION) {
            mayBeLost += message.value() == null ? 0 : 1;
            return;
        }
        Gone gone = gone(key, message);
        if (waiting.remove(key) != null) {
            lost.add(gone);
        } else if (mayWait.remove(key) != null) {
            mayBeLost++;
        }
    }

    private void takenOut(TrashKey key, String undoId) {
        Gone left = mayWait.remove(key);
        Gone gone = waiting.containsKey(key) ? waiting.remove(key) : left;
        assertThat(gone).as(key + " is back, and did not wait").isNotNull();
        returned.computeIfAbsent(undoId, id -> new ArrayList<>()).add(gone);
    }

    /** What waits of an event; null if nothing does. */
    @Nullable
    Gone of(Key key) {
        return waiting.values().stream()
                .filter(gone -> gone.key().equals(key))
                .reduce((former, newer) -> newer)
                .orElse(null);
    }

    /** Returns true if an undo has brought the event back so shortly before that no policy may take it (T-3). */
    boolean isUnderNotice(Key key, long atMs) {
        return atMs <= notices.getOrDefault(key, -1L);
    }

    List<Gone> all() {
        return all;
    }

    boolean isEmpty() {
        return waiting.isEmpty() && lost.isEmpty();
    }

    /** An erasure is done: copies that match are gone; those of held streams and of protected events may be left. */
    void erased(Command.EraseEvents erase, Picture before, Picture after) {
        List<Gone> meant = waiting.values().stream()
                .filter(gone -> AccidentLaw.isMeant(erase, gone.event().event()))
                .toList();
        for (Gone gone : meant) {
            waiting.remove(gone.place());
            StreamName stream = gone.key().stream();
            boolean isHeld = Stream.of(before, after)
                    .flatMap(picture -> picture.policies().stream())
                    .anyMatch(policies -> policies.isHeld(stream));
            if (isHeld || gone.event().isProtected()) {
                mayWait.put(gone.place(), gone);
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
     * @param newestMs the newest time that there ever was: a time that was in force may have ended promises, although it
     *     was wrong
     * @param arrived events that came in the middle of it
     * @return what is back, and has not gone again
     */
    Set<Key> undone(
            CommandRequest request,
            CommandResult result,
            Picture before,
            Picture after,
            List<AuditRecord> audits,
            long sentMs,
            long newestMs,
            List<Event> arrived) {
        Command.UndoDeletes undo = (Command.UndoDeletes) request.command();
        UndoFilter filter = undo.filter();
        Set<String> names = names(arrived);
        List<Gone> came = returned.getOrDefault(request.commandId(), List.of());
        for (Gone gone : came) {
            assertThat(filter.isMet(gone.key().stream(), gone.deletion()))
                    .as(filter + " means " + gone)
                    .isTrue();
            assertThat(gone.deletion().isOpen(sentMs))
                    .as(gone + " was final at " + sentMs)
                    .isTrue();
            if (!names.contains(name(gone.key()))) {
                assertThat(AccidentLaw.asSent(after.events().getOrDefault(gone.key(), gone.event())))
                        .as("what is back")
                        .isEqualTo(AccidentLaw.asSent(gone.event()));
            }
        }
        Set<Key> back = came.stream().map(Gone::key).collect(Collectors.toSet());
        back.forEach(key -> notices.put(key, sentMs + AccidentPlay.NOTICE_MS));
        Set<Key> more = new HashSet<>(after.events().keySet());
        more.removeAll(before.events().keySet());
        more.removeIf(key -> names.contains(name(key)));
        assertThat(back).as("what waited").containsAll(more);
        requireAccount(came, before, after, audits, names);
        if (result.state() == CommandResult.State.DONE) {
            Undone outcome = Objects.requireNonNull(Outcomes.undone(result));
            assertThat(outcome.events()).as(outcome + " says").isEqualTo(came.size());
            requireReasons(undo, outcome, back, before, after, sentMs, names);
            requireMissing(undo.filter(), outcome, newestMs, sentMs);
        }
        back.retainAll(after.events().keySet());
        return back;
    }

    /**
     * Of each id, as many are stored as were before, less what went, and what has come out of the trash. Of an id that
     * came anew meanwhile there is one at most, whatever came first.
     */
    private static void requireAccount(
            List<Gone> came, Picture before, Picture after, List<AuditRecord> audits, Set<String> arrived) {
        List<String> there = names(after.events().keySet().stream());
        assertThat(there.stream().filter(arrived::contains))
                .as("ids that came anew")
                .doesNotHaveDuplicates();
        audits.forEach(audit -> audit.eventIds().forEach(id -> there.add(audit.stream() + " " + id)));
        List<String> due = names(before.events().keySet().stream());
        due.addAll(names(came.stream().map(Gone::key)));
        there.removeIf(arrived::contains);
        due.removeIf(arrived::contains);
        assertThat(there).as("what is stored, or went beside an undo").containsExactlyInAnyOrderElementsOf(due);
    }

    private static List<String> names(Stream<Key> keys) {
        return keys.map(AccidentLedger::name).collect(Collectors.toCollection(ArrayList::new));
    }

    private static String name(Key key) {
        return key.stream().value() + " " + key.id();
    }

    private static Set<String> names(List<Event> events) {
        return events.stream()
                .map(event -> event.stream().value() + " " + event.id().value())
                .collect(Collectors.toSet());
    }

    /** What is lost is named: all that the undo means, and no more than there is. What was compacted is not lost. */
    private void requireMissing(UndoFilter filter, Undone outcome, long newestMs, long sentMs) {
        long owed = lost.stream()
                .filter(gone -> gone.deletion().deletedAtMs() < sentMs
                        && gone.deletion().isOpen(newestMs)
                        && filter.isMet(gone.key().stream(), gone.deletion())
                        && isCountedUnder(filter, gone.deletion()))
                .count();
        assertThat(outcome.count(NotReturned.MISSING))
                .as(filter + ": missing by " + outcome + " of " + lost)
                .isBetween(owed, lost.size() + mayBeLost);
        assertThat(outcome.count(NotReturned.FORGED)).as("forged by nobody").isZero();
    }

    /** What waits is counted under the newest change that may have made it due, and under none of the others. */
    private static boolean isCountedUnder(UndoFilter filter, Deletion deletion) {
        return filter.policy() == null
                || (filter.version() == null
                        ? deletion.change().startsWith(filter.policy() + "@")
                        : deletion.change().equals(filter.policy() + "@" + filter.version()));
    }

    private void requireReasons(
            Command.UndoDeletes undo,
            Undone outcome,
            Set<Key> back,
            Picture before,
            Picture after,
            long sentMs,
            Set<String> arrived) {
        UndoFilter filter = undo.filter();
        long said = outcome.notReturned().entrySet().stream()
                .filter(left -> left.getKey() != NotReturned.MISSING)
                .mapToLong(Map.Entry::getValue)
                .sum();
        Map<TrashKey, Gone> owed = new LinkedHashMap<>(waiting);
        // The undo may not have seen what went while it ran.
        owed.values()
                .removeIf(gone ->
                        gone.deletion().deletedAtMs() >= sentMs || !filter.isMet(gone.key().stream(), gone.deletion()));
        assertThat(said)
                .as("reasons of " + outcome + " for " + owed.values())
                .isGreaterThanOrEqualTo(owed.values().stream()
                        .filter(gone -> gone.deletion().isOpen(after.trustedMs()))
                        .count());
        if (said > Undone.MOST_NAMED) {
            return;
        }
        for (Gone gone : owed.values()) {
            if (gone.deletion().isOpen(after.trustedMs())) {
                requireReason(gone, undo, outcome, back, before, after, arrived);
            }
        }
    }

    private void requireReason(
            Gone gone,
            Command.UndoDeletes undo,
            Undone outcome,
            Set<Key> back,
            Picture before,
            Picture after,
            Set<String> arrived) {
        UndoFilter filter = undo.filter();
        Key key = gone.key();
        boolean isSupersededNow = back.stream().anyMatch(key::isFormOf);
        boolean isSuperseded = all.stream()
                .anyMatch(later -> later.key().isFormOf(key)
                        && later.isNewerThan(gone)
                        && !isLost(later)
                        && filter.isMet(later.key().stream(), later.deletion()));
        // What used the id may have gone behind the undo that met it.
        boolean isReused = arrived.contains(name(key))
                || Stream.of(before, after)
                        .flatMap(picture -> picture.events().keySet().stream())
                        .anyMatch(key::isFormOf);
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

    private boolean isLost(Gone gone) {
        return lost.stream().anyMatch(one -> one.place().equals(gone.place()));
    }

    private static boolean isOf(Left left, Key key) {
        return left.stream().equals(key.stream().value()) && left.id().equals(key.id());
    }
}
