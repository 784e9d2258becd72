package dev.ebb.topology.trash;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.TrashSum;
import dev.ebb.domain.undo.TrashSum.Reason;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.serde.text.JsonState;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts of the deletes of one partition that can be undone, so that a status need not read the topic of the trash
 * (T-5). Deletes of one reason and namespace are counted together for a twenty-fourth of their time; each count is
 * forgotten when the last of its deletes is final. The counts are saved in the transaction of the deletes. Not
 * thread-safe.
 */
public final class TrashBook {

    /** Largest number of counts that are kept singly; the rest are counted together by cause and scope. */
    static final int MOST = 10_000;

    /** Prefix of the names of its notes and of those of its marks. */
    public static final String NAME = "trash/";

    private static final int FORGOTTEN_AT_ONCE = 100;

    private final BiConsumer<String, byte @Nullable []> save;
    private final Runnable remind;
    private final TrashMarks marks;
    /** Counts, including those without events, since a sweep that continues may add to them. */
    private final Map<TrashSlot, TrashCount> counts = new HashMap<>();

    /** The first deletes of the reasons that are counted, including those whose counts are forgotten. */
    private final Map<Reason, Long> begun = new HashMap<>();

    private final Set<TrashCount> unsaved = new LinkedHashSet<>();
    private long nextNumber;
    private long nextMs = Long.MAX_VALUE;
    private @Nullable List<TrashSum> sums;

    /**
     * @param notes the notes that {@code save} has kept, and others
     * @param save keeps a note of that name, or forgets it
     * @param remind makes {@link #flush} be called before the next commit
     */
    public TrashBook(Map<String, byte[]> notes, BiConsumer<String, byte @Nullable []> save, Runnable remind) {
        this.save = save;
        this.remind = remind;
        this.marks = new TrashMarks(notes, save, remind);
        notes.forEach((name, value) -> {
            if (isCount(name)) {
                load(
                        Long.parseLong(name.substring(NAME.length())),
                        JsonState.read(new String(value, StandardCharsets.UTF_8), TrashSum.class));
            }
        });
    }

    /** Returns true for a number behind the prefix; other notes on the trash have words there. */
    private static boolean isCount(String name) {
        return name.startsWith(NAME) && Character.isDigit(name.charAt(NAME.length()));
    }

    private void load(long number, TrashSum sum) {
        TrashCount count = new TrashCount(number, 0, sum, this::change);
        counts.put(TrashSlot.of(sum), count);
        begun.merge(sum.reason(), sum.begunMs(), Math::min);
        nextNumber = Math.max(nextNumber, number + 1);
        nextMs = Math.min(nextMs, sum.untilMs());
    }

    /** Returns the count to which events of that stream and deletion belong. */
    TrashCount count(StreamName stream, Deletion deletion) {
        TrashSlot slot = TrashSlot.of(stream, deletion);
        TrashCount known = counts.get(slot);
        if (known == null && counts.size() >= MOST) {
            slot = slot.others();
            known = counts.get(slot);
        }
        if (known == null) {
            TrashSum none = TrashSum.of(slot.reason(), slot.namespace(), deletion, 0, 0);
            long begunMs = begun.merge(slot.reason(), none.begunMs(), Math::min);
            known = new TrashCount(
                    nextNumber++, marks.upcoming(deletion.deletedAtMs()), none.begunAt(begunMs), this::change);
            counts.put(slot, known);
        }
        known.reach(deletion);
        nextMs = Math.min(nextMs, deletion.untilMs());
        return known;
    }

    /**
     * Subtracts an event that came back or was erased.
     *
     * @param bytes its size
     */
    public void takeOff(StreamName stream, Deletion deletion, long bytes) {
        takeOff(stream, deletion, 1, bytes, 0);
    }

    /** Subtracts an execution that came back. */
    public void takeOffExecution(StreamName stream, Deletion deletion) {
        takeOff(stream, deletion, 0, 0, 1);
    }

    private void takeOff(StreamName stream, Deletion deletion, long events, long bytes, long executions) {
        TrashSlot slot = TrashSlot.of(stream, deletion);
        TrashCount known = counts.get(slot);
        known = known == null ? counts.get(slot.others()) : known;
        if (known != null) {
            known.replace(known.sum().with(-events, -bytes, -executions));
        }
    }

    private void change(TrashCount count) {
        if (unsaved.isEmpty()) {
            remind.run();
        }
        unsaved.add(count);
        sums = null;
    }

    /** Returns the marks of the records that are counted. */
    public TrashMarks marks() {
        return marks;
    }

    /**
     * Returns guards for readings of the records that the filter means: they compare what they find with what is
     * promised now.
     */
    public Supplier<TrashGuard> guards(UndoFilter filter) {
        return guards(filter::isPromised, filter::mayMean);
    }

    /** Returns guards for audits of all that is promised now. */
    Supplier<TrashGuard> guards() {
        return guards(sum -> true, sum -> true);
    }

    private Supplier<TrashGuard> guards(Predicate<TrashSum> isPromised, Predicate<TrashSum> mayBeMeant) {
        Map<TrashSlot, TrashPromise.Numbers> waiting = new HashMap<>();
        long sinceMs = Long.MAX_VALUE;
        long firstSerial = Long.MAX_VALUE;
        for (Map.Entry<TrashSlot, TrashCount> entry : counts.entrySet()) {
            TrashSum sum = entry.getValue().sum();
            if (mayBeMeant.test(sum)) {
                sinceMs = Math.min(sinceMs, sum.begunMs());
            }
            if (isPromised.test(sum) && !sum.hasNothing()) {
                waiting.put(entry.getKey(), new TrashPromise.Numbers(sum.events(), sum.executions()));
                firstSerial = Math.min(firstSerial, entry.getValue().firstSerial());
            }
        }
        long knownMs = sinceMs == Long.MAX_VALUE ? TrashPromise.UNKNOWN : sinceMs;
        return marks.guards(new TrashPromise(waiting, knownMs, firstSerial, marks.end()));
    }

    /** Notes how much of what was promised a reading has not found. */
    public void found(FoundTrash found) {
        found(found, found);
    }

    /** Notes how much of what was promised a reading has not found, and an earlier one neither. */
    void found(FoundTrash found, FoundTrash before) {
        found.forEachMissing(before, (slot, records) -> {
            TrashCount known = counts.get(slot);
            if (known != null && known.sum().missing() != records) {
                known.replace(known.sum().missing(records));
            }
        });
    }

    /** Returns true if the reading has missed records that are not known to be missing. */
    boolean lacksMore(FoundTrash found) {
        long[] more = {0};
        found.forEachMissing(found, (slot, records) -> {
            TrashCount known = counts.get(slot);
            more[0] += known == null || known.sum().missing() >= records ? 0 : 1;
        });
        return more[0] > 0;
    }

    /** Returns the number of records that are known to be missing. */
    long missing() {
        return counts.values().stream()
                .mapToLong(count -> count.sum().missing())
                .sum();
    }

    /** Returns true if something can be brought back. */
    boolean hasPromised() {
        for (TrashCount count : counts.values()) {
            if (!count.hasNothing()) {
                return true;
            }
        }
        return false;
    }

    /** Saves the changes; must be called before the transaction ends. */
    public void flush() {
        marks.flush();
        for (TrashCount count : unsaved) {
            TrashSum sum = count.settle();
            save.accept(
                    name(count), sum.hasNothing() ? null : JsonState.write(sum).getBytes(StandardCharsets.UTF_8));
        }
        unsaved.clear();
    }

    /** Forgets some counts, and marks, whose deletes are all final. */
    public void forget(long nowMs) {
        marks.forget(nowMs);
        if (nowMs < nextMs) {
            return;
        }
        List<TrashCount> over = counts.values().stream()
                .filter(count -> count.sum().untilMs() <= nowMs)
                .limit(FORGOTTEN_AT_ONCE)
                .toList();
        over.forEach(count -> {
            save.accept(name(count), null);
            counts.remove(TrashSlot.of(count.sum()), count);
            unsaved.remove(count);
            sums = null;
        });
        begun.keySet().retainAll(counts.keySet().stream().map(TrashSlot::reason).collect(Collectors.toSet()));
        nextMs = over.size() == FORGOTTEN_AT_ONCE
                ? nowMs
                : counts.values().stream()
                        .mapToLong(count -> count.sum().untilMs())
                        .min()
                        .orElse(Long.MAX_VALUE);
    }

    private static String name(TrashCount count) {
        return NAME + count.number();
    }

    /** Returns the time at which {@link #forget} has something to do; {@link Long#MAX_VALUE} if nothing waits. */
    public long nextMs() {
        return Math.min(nextMs, marks.nextMs());
    }

    /** Returns the deletes that can be undone, by reason and namespace, the latest first. Immutable. */
    public List<TrashSum> sums() {
        List<TrashSum> known = sums;
        if (known == null) {
            known = TrashSum.joined(counts.values().stream().map(TrashCount::sum));
            sums = known;
        }
        return known;
    }
}
