package dev.ebb.topology.command;

import java.util.function.BiFunction;

/**
 * A kind of work.
 *
 * @param name names work in the memory of the partition, together with the id of its command
 * @param type the type of its state
 * @param maker makes the work from its state, at the beginning and after a crash
 */
record WorkKind<S>(String name, Class<S> type, BiFunction<WorkParts, S, Work> maker) {

    Work make(WorkParts parts, S state) {
        return maker.apply(parts, state);
    }
}
