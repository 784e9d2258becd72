package dev.ebb.store.layout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * The memory of the delete of a stream by a command (O-10). Immutable.
 *
 * @param deletedAtMs the time of the delete, epoch milliseconds
 * @param commandId the command; empty if it is not known
 * @param isLifted true if an undo has brought the stream back: the grave then only holds ends that wait
 * @param atWork the executions of former streams whose work may still go on, since they were open at their delete
 * @param isAnyAtWork true if there were too many of them to name
 * @param ends the number of ends of executions that wait beside the grave
 * @param endBytes the size of their records in bytes
 * @param nextOrder the number of the next update of an execution, in the order of arrival
 * @param parentOrder the number of the update that named the parent of the present stream; -1 if none is known
 */
public record Grave(
        long deletedAtMs,
        String commandId,
        boolean isLifted,
        List<Long> atWork,
        boolean isAnyAtWork,
        int ends,
        long endBytes,
        long nextOrder,
        long parentOrder) {

    /** The most executions that are named as being at work; of a stream with more, all count as such. */
    public static final int MOST_AT_WORK = 64;

    /** The most ends that wait beside one grave. */
    public static final int MOST_ENDS = 1000;

    /** The most bytes of the ends that wait beside one grave. */
    public static final long MOST_END_BYTES = 256 * 1024;

    private static final int LIFTED = 1;
    private static final int ANY_AT_WORK = 1 << 1;

    public Grave {
        atWork = List.copyOf(atWork);
    }

    /** Returns a grave beside which nothing waits. */
    public static Grave of(long deletedAtMs, String commandId) {
        return new Grave(deletedAtMs, commandId, false, List.of(), false, 0, 0, 0, -1);
    }

    /** Returns true if a worker of a former stream may still be at this execution, and know of no delete. */
    public boolean mayBeAtWork(long execution) {
        return isAnyAtWork || atWork.contains(execution);
    }

    /** Returns true if there is room for one more end of this size. */
    public boolean hasRoomFor(long bytes) {
        return ends < MOST_ENDS && endBytes + bytes <= MOST_END_BYTES;
    }

    /** Returns this grave with these executions at work besides those that it names. */
    public Grave withAtWork(Collection<Long> executions) {
        TreeSet<Long> all = new TreeSet<>(atWork);
        all.addAll(executions);
        boolean isTooMuch = isAnyAtWork || all.size() > MOST_AT_WORK;
        return withWork(isTooMuch ? List.of() : new ArrayList<>(all), isTooMuch);
    }

    /** Returns this grave with every execution at work. */
    public Grave withAnyAtWork() {
        return withWork(List.of(), true);
    }

    /** Returns this grave with the work of this execution over. */
    public Grave withoutWork(long execution) {
        return withWork(atWork.stream().filter(number -> number != execution).toList(), isAnyAtWork);
    }

    private Grave withWork(List<Long> numbers, boolean isAny) {
        return new Grave(deletedAtMs, commandId, isLifted, numbers, isAny, ends, endBytes, nextOrder, parentOrder);
    }

    /** Returns this grave with ends that have come (positive) or gone (negative). */
    public Grave withEnds(int number, long bytes) {
        return new Grave(
                deletedAtMs,
                commandId,
                isLifted,
                atWork,
                isAnyAtWork,
                ends + number,
                endBytes + bytes,
                nextOrder,
                parentOrder);
    }

    /** Returns this grave with the ends that wait beside the other. */
    public Grave withEndsOf(Grave other) {
        return new Grave(
                deletedAtMs,
                commandId,
                isLifted,
                atWork,
                isAnyAtWork,
                other.ends,
                other.endBytes,
                other.nextOrder,
                parentOrder);
    }

    /** Returns this grave after one more update of an execution. */
    public Grave withNextOrder() {
        return new Grave(
                deletedAtMs, commandId, isLifted, atWork, isAnyAtWork, ends, endBytes, nextOrder + 1, parentOrder);
    }

    /** Returns this grave after the update with this number has named the parent of the present stream. */
    public Grave withParentOrder(long order) {
        return new Grave(deletedAtMs, commandId, isLifted, atWork, isAnyAtWork, ends, endBytes, nextOrder, order);
    }

    /** Returns this grave after an undo has brought the stream back. */
    public Grave lifted() {
        return new Grave(deletedAtMs, commandId, true, List.of(), false, ends, endBytes, nextOrder, parentOrder);
    }

    public byte[] encode() {
        ByteWriter out = new ByteWriter(64)
                .writeLong(deletedAtMs)
                .writeByte((isLifted ? LIFTED : 0) | (isAnyAtWork ? ANY_AT_WORK : 0))
                .writeText(commandId)
                .writeVarLong(ends)
                .writeVarLong(endBytes)
                .writeVarLong(nextOrder)
                .writeVarLong(parentOrder + 1)
                .writeVarLong(atWork.size());
        atWork.forEach(out::writeVarLong);
        return out.toBytes();
    }

    public static Grave decode(byte[] value) {
        ByteReader in = new ByteReader(value);
        long deletedAtMs = in.readLong();
        int flags = in.readByte();
        String commandId = in.readText();
        int ends = (int) in.readVarLong();
        long endBytes = in.readVarLong();
        long nextOrder = in.readVarLong();
        long parentOrder = in.readVarLong() - 1;
        List<Long> atWork = new ArrayList<>();
        for (long left = in.readVarLong(); left > 0; left--) {
            atWork.add(in.readVarLong());
        }
        return new Grave(
                deletedAtMs,
                commandId,
                (flags & LIFTED) != 0,
                atWork,
                (flags & ANY_AT_WORK) != 0,
                ends,
                endBytes,
                nextOrder,
                parentOrder);
    }
}
