package dev.ebb.wire.instance;

import dev.ebb.port.StatusView;
import dev.ebb.port.StatusView.MirrorView;
import dev.ebb.port.WaitingPolicyView;
import dev.ebb.wire.UnansweredView;
import dev.ebb.wire.instance.ConcernView.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is wrong and what waits for a person (O-26), in one place for the top of {@code ebb status} and of every page
 * of the console: first what is wrong, then what waits. Used once.
 */
final class Concerns {

    private static final String OPERATOR = "operator";
    private static final String RESTORER = "restorer";
    private static final String ADMIN = "admin";

    private final List<ConcernView> found = new ArrayList<>();

    private Concerns() {}

    /** @param asked the instance that tells of facts that all instances share */
    static List<ConcernView> of(
            StatusView asked, List<StatusView> instances, List<UnansweredView> unanswered, List<Integer> unkept) {
        Concerns concerns = new Concerns();
        concerns.away(unanswered, unkept);
        instances.forEach(concerns::instance);
        concerns.mirror(asked.mirror());
        concerns.trash(instances);
        concerns.quarantine(instances);
        concerns.changes(asked.policies().waiting());
        concerns.restores(instances);
        concerns.parked(instances);
        concerns.stale(instances);
        return List.copyOf(concerns.found);
    }

    private void add(Kind what, String text, @Nullable Instant since, @Nullable String role) {
        found.add(new ConcernView(what, text, since, role));
    }

    private void away(List<UnansweredView> unanswered, List<Integer> unkept) {
        unanswered.forEach(one -> add(
                Kind.INSTANCE_AWAY,
                "Instance " + one.instance() + " does not answer: " + one.reason()
                        + ". If it is dead, 'ebb instance remove " + one.instance()
                        + "' gives its partitions to the others at once",
                null,
                ADMIN));
        if (!unkept.isEmpty()) {
            String list = unkept.stream().map(String::valueOf).collect(Collectors.joining(", "));
            add(
                    Kind.PARTITIONS_AWAY,
                    counted(unkept.size(), "partition") + " cannot be read: " + list
                            + ". Lists and counts lack the streams there",
                    null,
                    null);
        }
    }

    private void instance(StatusView one) {
        one.problems().forEach(problem -> add(Kind.PROCESS, on(one) + problem, null, null));
        String unreadable = one.policies().unreadable();
        if (unreadable != null) {
            add(Kind.POLICY_UNREADABLE, on(one) + "nothing is swept: " + unreadable, null, ADMIN);
        }
        if (one.clock().problem() != null) {
            add(Kind.CLOCK, on(one) + "nothing is swept: " + one.clock().problem(), null, null);
        }
        if (!one.sweepEnabled()) {
            add(Kind.SWEEPS_OFF, on(one) + "sweeps are switched off by sweep.enabled", null, null);
        }
        one.policies()
                .settingsNotInForce()
                .forEach(setting -> add(Kind.SETTINGS, on(one) + "a setting is not in force: " + setting, null, ADMIN));
    }

    private static String on(StatusView one) {
        return "On " + one.instance() + " ";
    }

    private void mirror(@Nullable MirrorView mirror) {
        if (mirror == null) {
            return;
        }
        // A sink needs some seconds after each start: that takes no one's time.
        if (!mirror.state().startsWith("RUNNING") && !mirror.state().equals("STARTING")) {
            String detail = mirror.detail() == null ? "" : ": " + mirror.detail();
            add(Kind.MIRROR, "The sink of the SQL mirror is " + mirror.state() + detail, null, null);
        }
        if (mirror.refused() > 0) {
            String why = mirror.refusal() == null ? "" : ": " + mirror.refusal();
            add(Kind.ROWS_REFUSED, counted(mirror.refused(), "row") + " refused by the database" + why, null, OPERATOR);
        }
    }

    private void trash(List<StatusView> instances) {
        long missing =
                instances.stream().mapToLong(one -> one.trash().missing()).sum();
        if (missing > 0) {
            add(
                    Kind.TRASH_MISSING,
                    counted(missing, "record")
                            + " of the trash missing, so an undo brings back less than promised: 'ebb"
                            + " trash list' names the deletes",
                    null,
                    RESTORER);
        }
    }

    private void quarantine(List<StatusView> instances) {
        List<String> streams = instances.stream()
                .flatMap(one -> one.partitions().stream())
                .flatMap(one -> one.quarantined().keySet().stream())
                .sorted()
                .toList();
        long all = instances.stream()
                .flatMap(one -> one.partitions().stream())
                .mapToLong(StatusView.PartitionView::quarantinedStreams)
                .sum();
        if (all > 0) {
            String first = streams.isEmpty() ? "" : ", the first is " + streams.get(0);
            add(
                    Kind.QUARANTINE,
                    "Nothing is deleted from " + counted(all, "stream") + " in quarantine" + first,
                    null,
                    OPERATOR);
        }
    }

    /** Adds one concern for each change, however many records its file has. */
    private void changes(List<WaitingPolicyView> waiting) {
        Map<Long, List<WaitingPolicyView>> changes = waiting.stream()
                .collect(Collectors.groupingBy(
                        WaitingPolicyView::change, LinkedHashMap::new, Collectors.toCollection(ArrayList::new)));
        changes.values().forEach(records -> {
            WaitingPolicyView first = records.get(0);
            String more = records.size() == 1 ? "" : " and " + (records.size() - 1) + " more of its file";
            String by = first.actor().isEmpty() ? "" : ", asked for by " + first.actor() + ",";
            add(
                    Kind.CHANGE_WAITS,
                    "The change of " + first.key() + more + by + " waits for a confirmation: " + first.why(),
                    first.since(),
                    ADMIN);
        });
    }

    private void parked(List<StatusView> instances) {
        Map<String, Long> records = new LinkedHashMap<>();
        instances.stream()
                .flatMap(one -> one.partitions().stream())
                .flatMap(one -> one.parkedFor().stream())
                .forEach(wait -> records.merge(wait.waitsFor(), wait.records(), Long::sum));
        records.forEach((what, count) -> add(
                Kind.RECORDS_WAIT, counted(count, "record") + " not taken in, waiting for " + what, null, OPERATOR));
    }

    private void restores(List<StatusView> instances) {
        List<StatusView.RestoreView> stores =
                instances.stream().flatMap(one -> one.restoring().stream()).toList();
        if (!stores.isEmpty()) {
            long done = stores.stream().mapToLong(StatusView.RestoreView::done).sum();
            long total =
                    stores.stream().mapToLong(StatusView.RestoreView::total).sum();
            add(
                    Kind.RESTORE,
                    counted(stores.size(), "store") + " being restored: " + done + " of " + total + " records read",
                    null,
                    null);
        }
    }

    private void stale(List<StatusView> instances) {
        Map<String, Long> streams = new TreeMap<>();
        long events = 0;
        for (StatusView one : instances) {
            for (StatusView.PartitionView partition : one.partitions()) {
                events += partition.staleEvents();
                partition.staleStreams().forEach((stream, stale) -> streams.merge(stream, stale, Long::sum));
            }
        }
        if (events > 0) {
            String most = streams.entrySet().stream()
                    .max(Map.Entry.comparingByValue())
                    .map(stream -> ", the most in " + stream.getKey())
                    .orElse("");
            add(
                    Kind.STALE_WORK,
                    counted(events, "event") + " protected for longer than stale.threshold" + most
                            + ": retention never deletes such events",
                    null,
                    OPERATOR);
        }
    }

    private static String counted(long count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
    }
}
