package dev.ebb.simulation;

import dev.ebb.model.RetentionModelStream;
import dev.ebb.store.EventStore;
import dev.ebb.store.StoreProbe;
import dev.ebb.store.layout.NamespaceTotals;
import dev.ebb.topology.observe.TaskStatus;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Figures that are kept as things come and go, against a recount (I-3). Not thread-safe. */
final class FiguresLaw {

    private final Task task;

    FiguresLaw(Task task) {
        this.task = task;
    }

    /** The totals of the namespaces, which are kept as things come and go, against a recount. */
    private void checkTotals(EventStore store) {
        Map<String, long[]> recount = new TreeMap<>();
        for (RetentionModelStream stream : task.shadow.model.streams().values()) {
            long[] totals = recount.computeIfAbsent(stream.namespace(), name -> new long[4]);
            totals[0]++;
            totals[1] += stream.events.size();
            totals[2] += stream.size();
            totals[3] += stream.protectedEvents();
        }
        Map<String, String> expected = new TreeMap<>();
        recount.forEach((name, totals) -> expected.put(name, Arrays.toString(totals)));
        Map<String, String> found = new TreeMap<>();
        store.namespaceTotals().forEach((name, totals) -> {
            if (totals.streams() > 0 || totals.events() > 0) {
                long[] told = {totals.streams(), totals.events(), totals.bytes(), totals.protectedEvents()};
                found.put(name, Arrays.toString(told));
            }
        });
        if (!found.equals(expected)) {
            throw new Violation("I-3 totals of namespaces", found + ", a recount says " + expected);
        }
    }

    /** Figures of the namespaces in status, REST and metrics equal a recount of the events (I-3). */
    void check() {
        EventStore store = task.store();
        if (store == null) {
            return;
        }
        checkTotals(store);
        Map<String, NamespaceTotals> recount =
                StoreProbe.recount(StoreProbe.streams(store), task.events().entries());
        requireFigures("totals of namespaces", recount, store.namespaceTotals());
        TaskStatus told = task.instance().statuses.get(task.partition);
        if (task.instance().told.remove(task.partition) && told != null) {
            requireFigures("status", recount, told.namespaces());
        }
    }

    private static void requireFigures(
            String which, Map<String, NamespaceTotals> recount, Map<String, NamespaceTotals> found) {
        if (!found.equals(recount)) {
            throw new Violation("I-3 " + which, new TreeMap<>(found) + ", a recount says " + recount);
        }
    }
}
