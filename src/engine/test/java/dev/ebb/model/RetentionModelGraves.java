package dev.ebb.model;

import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.model.RetentionModelStream.Declared;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Whatever is remembered of deleted streams: who may still be at work, and the ends that wait for their events (O-10). */
final class RetentionModelGraves {

    /** An end of an execution that waits. */
    record End(String status, Long startedAt, long completedAt, String parent, long parentOrder, long timestamp) {}

    /** Besides the time of the delete. */
    private static final class Beside {
        final Set<Long> atWork = new TreeSet<>();
        final Map<Long, End> ends = new TreeMap<>();
        long parentOrder = -1;
        String command = "";
        boolean isLifted;

        Beside copy() {
            Beside copy = new Beside();
            copy.atWork.addAll(atWork);
            copy.ends.putAll(ends);
            copy.parentOrder = parentOrder;
            copy.command = command;
            copy.isLifted = isLifted;
            return copy;
        }
    }

    private final Map<String, Beside> besides = new TreeMap<>();
    private long order;

    private Beside of(String stream) {
        return besides.computeIfAbsent(stream, name -> new Beside());
    }

    void delete(String stream, Set<Long> open, boolean formerStands, long now) {
        Beside former = of(stream);
        Beside next = new Beside();
        if (formerStands) {
            next.atWork.addAll(former.atWork);
        }
        next.atWork.addAll(open);
        former.ends.forEach((execution, end) -> {
            if (end.timestamp >= now) {
                next.ends.put(execution, end);
            }
        });
        besides.put(stream, next);
    }

    /** The stream was deleted by that command. */
    void deletedBy(String stream, String command) {
        of(stream).command = command;
    }

    boolean isOf(String stream, String command) {
        return of(stream).command.equals(command);
    }

    /** An undo has brought the stream back: only ends wait on. */
    void lift(String stream) {
        of(stream).isLifted = true;
        of(stream).atWork.clear();
    }

    boolean isLifted(String stream) {
        return of(stream).isLifted;
    }

    void late(String stream, long execution, boolean isOver) {
        if (isOver) {
            of(stream).atWork.remove(execution);
        } else {
            of(stream).atWork.add(execution);
        }
    }

    boolean mayBeAtWork(String stream, long execution) {
        return of(stream).atWork.contains(execution);
    }

    void await(ExecutionUpdate end, long timestamp) {
        Map<Long, End> ends = of(end.stream().value()).ends;
        End before = ends.get(end.execution());
        long number = order++;
        boolean namesParent = end.parent() != null;
        long completedAt =
                end.completedAt() != null ? end.completedAt() : before != null ? before.completedAt : timestamp;
        Long startedAt = end.startedAt() != null || before == null ? end.startedAt() : before.startedAt;
        String parent = namesParent ? end.parent().value() : before == null ? null : before.parent;
        long parentOrder = namesParent || before == null ? number : before.parentOrder;
        ends.put(end.execution(), new End(end.status(), startedAt, completedAt, parent, parentOrder, timestamp));
    }

    End waiting(String stream, long execution) {
        return of(stream).ends.get(execution);
    }

    End take(String stream, long execution) {
        return of(stream).ends.remove(execution);
    }

    /** The parent of an end counts unless a record that came later has named another one. */
    boolean setsParent(String stream, End end) {
        Beside beside = of(stream);
        if (end.parent == null || end.parentOrder <= beside.parentOrder) {
            return false;
        }
        beside.parentOrder = end.parentOrder;
        return true;
    }

    void namesParent(String stream) {
        of(stream).parentOrder = order++;
    }

    Set<Long> waitingOf(String stream) {
        return Set.copyOf(of(stream).ends.keySet());
    }

    void forget(String stream) {
        besides.remove(stream);
    }

    RetentionModelGraves copy() {
        RetentionModelGraves copy = new RetentionModelGraves();
        besides.forEach((stream, beside) -> copy.besides.put(stream, beside.copy()));
        copy.order = order;
        return copy;
    }

    /** Returns true if nothing says that the execution has begun another turn than the one that the end is of. */
    static boolean mayEnd(Declared execution, Long startedAt) {
        if (execution == null) {
            return true;
        }
        if (execution.startedAt != null) {
            return execution.startedAt.equals(startedAt);
        }
        return execution.isTerminal || execution.status.isEmpty();
    }
}
