package dev.ebb.topology.trash;

import dev.ebb.topology.wire.EbbHeaders;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Marks by which a task knows its records in the trash again: a secret, which seals each of them, and a serial number
 * of each. The numbers of records that were taken out are remembered until their deletes are final: others may send a
 * sealed record once more, even where compaction has removed all trace of its end. All of it is saved in the
 * transaction of the deletes. Belongs to the thread of the task, except for {@link #guardOfSeals}.
 */
public final class TrashMarks {

    /** Prefix of the names of its notes. */
    static final String NAME = TrashBook.NAME + "marks/";

    private static final String SECRET = NAME + "secret";
    private static final String NEXT = NAME + "next";
    private static final String OUT = NAME + "out/";
    private static final String HEAD = NAME + "head";

    /** Number of serial numbers in one note. */
    private static final int BLOCK = 1024;

    /** Serial numbers that a millisecond has room for. */
    private static final int BITS_OF_MILLISECOND = 16;

    /** An undo brings back all that could be brought back at its beginning, however long it takes. */
    private static final long LONGEST_UNDO_MS = Duration.ofDays(1).toMillis();

    private static final SecureRandom RANDOM = new SecureRandom();

    private final BiConsumer<String, byte @Nullable []> save;
    private final Runnable remind;
    private final Map<Long, Out> outs = new HashMap<>();
    private final Map<Long, Out> unsaved = new HashMap<>();

    /** Read by other threads as well; null before the first record. */
    private volatile byte @Nullable [] secret;

    private @Nullable TrashSeal seal;
    private long next;
    private long head;
    private boolean hasBegun;
    private boolean isChanged;
    private long nextMs = Long.MAX_VALUE;

    /**
     * @param notes the notes that {@code save} has kept, and others
     * @param save keeps a note of that name, or forgets it
     * @param remind makes {@link #flush} be called before the next commit
     */
    TrashMarks(Map<String, byte[]> notes, BiConsumer<String, byte @Nullable []> save, Runnable remind) {
        this.save = save;
        this.remind = remind;
        secret = notes.get(SECRET);
        next = number(notes, NEXT, 0);
        head = number(notes, HEAD, TrashSource.Audit.UNKNOWN);
        notes.forEach((name, value) -> {
            if (name.startsWith(OUT)) {
                Out out = Out.decode(value);
                outs.put(Long.parseLong(name.substring(OUT.length())), out);
                nextMs = Math.min(nextMs, out.endMs());
            }
        });
    }

    private static long number(Map<String, byte[]> notes, String name, long none) {
        byte[] saved = notes.get(name);
        return saved == null ? none : ByteBuffer.wrap(saved).getLong();
    }

    private void save(String name, long number) {
        save.accept(name, ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    /**
     * Numbers of a block that were taken out.
     *
     * @param untilMs the time from which none of them could be brought back, epoch milliseconds
     */
    private record Out(BitSet numbers, long untilMs) {

        static Out decode(byte[] value) {
            ByteBuffer bytes = ByteBuffer.wrap(value);
            long untilMs = bytes.getLong();
            return new Out(BitSet.valueOf(bytes), untilMs);
        }

        byte[] encode() {
            byte[] bits = numbers.toByteArray();
            return ByteBuffer.allocate(Long.BYTES + bits.length)
                    .putLong(untilMs)
                    .put(bits)
                    .array();
        }

        Out with(int number, long otherMs) {
            numbers.set(number);
            return new Out(numbers, Math.max(untilMs, otherMs));
        }

        long endMs() {
            return untilMs + LONGEST_UNDO_MS;
        }
    }

    /**
     * Headers that all records of a deletion have in common.
     *
     * @param sealed the bytes of them that are sealed
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Common(Headers headers, byte[] sealed) {

        static Common of(Headers headers) {
            return new Common(headers, TrashSeal.sealed(headers));
        }
    }

    /**
     * Returns the number of the next record. Numbers grow with the records of the partition. They begin above the
     * clock: under {@code at_least_once} a crash may lose the last ones, which must not be given twice.
     */
    long next(long nowMs) {
        change();
        upcoming(nowMs);
        return next++;
    }

    /** Returns the number that the next record will have. */
    long upcoming(long nowMs) {
        if (!hasBegun) {
            hasBegun = true;
            next = Math.max(next, nowMs << BITS_OF_MILLISECOND);
        }
        return next;
    }

    /** Returns the headers of a record with its seal. */
    Headers sealed(byte[] key, byte @Nullable [] value, Common common) {
        RecordHeaders headers = new RecordHeaders(common.headers().toArray());
        headers.add(EbbHeaders.TRASH_SEAL, seal().of(key, value, common.sealed()));
        return headers;
    }

    private TrashSeal seal() {
        TrashSeal known = seal;
        if (known == null) {
            known = new TrashSeal(secret());
            seal = known;
        }
        return known;
    }

    private byte[] secret() {
        byte[] known = secret;
        if (known == null) {
            known = new byte[TrashSeal.SECRET_BYTES];
            RANDOM.nextBytes(known);
            save.accept(SECRET, known);
            secret = known;
        }
        return known;
    }

    /**
     * Notes that the record with this number is out of the trash.
     *
     * @param untilMs the time from which it could not be brought back any more, epoch milliseconds
     */
    void takenOut(long number, long untilMs) {
        change();
        long block = number / BLOCK;
        Out before = outs.getOrDefault(block, new Out(new BitSet(), 0));
        Out now = before.with((int) (number % BLOCK), untilMs);
        outs.put(block, now);
        unsaved.put(block, now);
        nextMs = Math.min(nextMs, now.endMs());
    }

    private void change() {
        if (!isChanged) {
            isChanged = true;
            remind.run();
        }
    }

    /** Saves the changes; must be called before the transaction ends. */
    void flush() {
        if (isChanged) {
            isChanged = false;
            save(NEXT, next);
            unsaved.forEach((block, out) -> save.accept(OUT + block, out.encode()));
            unsaved.clear();
        }
    }

    /** Forgets numbers of records whose deletes are final. */
    void forget(long nowMs) {
        if (nowMs < nextMs) {
            return;
        }
        flush();
        outs.entrySet().removeIf(entry -> {
            boolean isOver = entry.getValue().endMs() <= nowMs;
            if (isOver) {
                save.accept(OUT + entry.getKey(), null);
            }
            return isOver;
        });
        nextMs = outs.values().stream().mapToLong(Out::endMs).min().orElse(Long.MAX_VALUE);
    }

    /** Returns the time at which {@link #forget} has something to do; {@link Long#MAX_VALUE} if nothing waits. */
    long nextMs() {
        return nextMs;
    }

    /** Returns a guard for a reading that begins now, behind all records that were sent and taken out before. */
    public TrashGuard guard() {
        return guards(TrashPromise.NOTHING).get();
    }

    /**
     * Returns guards that know this moment, whenever their readings begin: a record that is taken out from now on is
     * genuine, even where a reading cannot yet see its end.
     */
    Supplier<TrashGuard> guards(TrashPromise promise) {
        Map<Long, BitSet> known = new HashMap<>();
        outs.forEach((block, out) -> known.put(block, (BitSet) out.numbers().clone()));
        LongPredicate isOut = number -> {
            BitSet numbers = known.get(number / BLOCK);
            return numbers != null && numbers.get((int) (number % BLOCK));
        };
        return () -> new TrashGuard(() -> secret, isOut, promise);
    }

    /** Returns a guard that knows the seal alone; for any thread. */
    public TrashGuard guardOfSeals() {
        return new TrashGuard(() -> secret, number -> false, TrashPromise.NOTHING);
    }

    /** Returns the number of the first record at the last audit; {@link TrashSource.Audit#UNKNOWN} if there was none. */
    long head() {
        return head;
    }

    /** Notes the number of the first record, so that a task that begins again need not read all of them. */
    void head(long number) {
        if (head != number) {
            head = number;
            save(HEAD, number);
        }
    }

    /** Returns the number above those of all records so far; 0 if there are none. */
    long end() {
        return next;
    }
}
