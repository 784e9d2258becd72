package dev.ebb.topology.trash;

import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.TrashSum;
import java.util.function.Consumer;

/** Count of deletes that can be undone, which may still grow. Not thread-safe. */
final class TrashCount {

    private final long number;
    private final long firstSerial;
    private final Consumer<TrashCount> changes;
    private TrashSum sum;
    private long events;
    private long bytes;
    private long executions;

    /**
     * @param firstSerial no record of this count has a lower serial number; 0 if it is not known
     * @param changes learns that the count has changed since it was settled
     */
    TrashCount(long number, long firstSerial, TrashSum sum, Consumer<TrashCount> changes) {
        this.number = number;
        this.firstSerial = firstSerial;
        this.sum = sum;
        this.changes = changes;
    }

    long number() {
        return number;
    }

    long firstSerial() {
        return firstSerial;
    }

    /** Adds an event of the deletion for which the count was requested. */
    void add(long size) {
        change();
        events++;
        bytes += size;
    }

    /** Adds an execution of that deletion. */
    void addExecution() {
        change();
        executions++;
    }

    private void change() {
        if (events == 0 && executions == 0) {
            changes.accept(this);
        }
    }

    boolean hasNothing() {
        return events == 0 && executions == 0 && sum.hasNothing();
    }

    TrashSum sum() {
        return events == 0 && executions == 0 ? sum : sum.with(events, bytes, executions);
    }

    /** Joins what was added with the sum, and returns it. */
    TrashSum settle() {
        sum = sum();
        events = 0;
        bytes = 0;
        executions = 0;
        return sum;
    }

    void replace(TrashSum other) {
        settle();
        sum = other;
        changes.accept(this);
    }

    /** Notes a deletion that belongs to the count. */
    void reach(Deletion deletion) {
        TrashSum settled = settle();
        sum = settled.plus(TrashSum.of(settled.reason(), settled.namespace(), deletion, 0, 0));
    }
}
