package dev.ebb.wire.history;

import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.history.TimeRange;
import dev.ebb.wire.read.Parameter;
import dev.ebb.wire.read.Read;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Result of a sweep, added up over the partitions that found something (O-4).
 *
 * @param id the command that asked for the sweep, or else the sweep of its partition
 * @param commandId the command that asked for the sweep; null if none did
 * @param mode {@code enforce}, or {@code warn} if events were only found and none deleted
 * @param sweepPoint the earliest sweep point of the partitions
 * @param eventsWouldDelete number of events that stay only because the mode of their policy is {@code warn}
 * @param bytesWouldDelete size of those events
 * @param wouldDelete number and size of those events, by cause
 * @param durationMs time from the first start to the last end, in milliseconds
 */
public record SweepView(
        String id,
        @Nullable String commandId,
        String trigger,
        String mode,
        List<Integer> partitions,
        Instant sweepPoint,
        long policyVersion,
        Instant started,
        Instant completed,
        long durationMs,
        long streamsProcessed,
        long eventsDeleted,
        long bytesDeleted,
        Map<String, TallyView> deleted,
        long eventsWouldDelete,
        long bytesWouldDelete,
        Map<String, TallyView> wouldDelete,
        long protectedEvents,
        long heldEvents,
        boolean stoppedEarly) {

    /** Lists sweeps. */
    public static final Read<Query, Page> LIST = new Read<>(
            "/v1/sweeps",
            "Lists the sweeps that found something, newest first, added up over partitions.",
            Query.class,
            Page.class);

    /** Shows one sweep. */
    public static final Read<One, Detail> SHOW = new Read<>(
            "/v1/sweeps/{id}",
            "Shows the deletes of a sweep, or of all sweeps of a command: added up, and by partition.",
            One.class,
            Detail.class);

    private static final String ENFORCE = "enforce";

    /** Events and bytes that went, or would have gone, for one cause. */
    public record TallyView(long events, long bytes) {}

    /** The id of a sweep or command. */
    public record One(
            @Parameter("The id of the sweep or command.") String id) {}

    /** A selection of sweeps. */
    public record Query(TimeRange time, int limit, @Nullable String after) {}

    /** One page; {@code next} goes into {@code after} of the next request and is null on the last page. */
    public record Page(List<SweepView> sweeps, @Nullable String next) {}

    /** A sweep, in sum and by partition; the sum covers reports of mode {@code warn} only if there are no others. */
    public record Detail(SweepView sweep, List<SweepView> byPartition) {

        public static Detail of(List<SweepReport> reports) {
            List<SweepView> single = reports.stream()
                    .sorted(Comparator.comparingInt(SweepReport::partition))
                    .map(report -> sum(report.sweepId(), List.of(report)))
                    .toList();
            List<SweepView> sums = grouped(reports);
            SweepView sum = sums.stream()
                    .filter(view -> view.mode().equals(ENFORCE))
                    .findFirst()
                    .orElse(sums.get(0));
            return new Detail(sum, single);
        }
    }

    /**
     * Returns the sweeps of these reports, in the order of the first report of each; reports of mode {@code warn} form
     * sweeps of their own.
     */
    public static List<SweepView> grouped(List<SweepReport> reports) {
        Map<String, List<SweepReport>> byId = new LinkedHashMap<>();
        reports.forEach(report -> byId.computeIfAbsent(report.mode() + report.groupId(), id -> new ArrayList<>())
                .add(report));
        List<SweepView> views = new ArrayList<>();
        byId.values().forEach(group -> views.add(sum(group.get(0).groupId(), group)));
        return views;
    }

    private static SweepView sum(String id, List<SweepReport> reports) {
        long started = min(reports, SweepReport::startedMs);
        long completed = -min(reports, report -> -report.completedMs());
        Map<String, TallyView> deleted = tallies(reports, SweepReport::deleted);
        Map<String, TallyView> wouldDelete = tallies(reports, SweepReport::wouldDelete);
        return new SweepView(
                id,
                reports.get(0).commandId(),
                reports.get(0).trigger(),
                reports.get(0).mode(),
                reports.stream().map(SweepReport::partition).distinct().sorted().toList(),
                Instant.ofEpochMilli(min(reports, SweepReport::sweepPointMs)),
                -min(reports, report -> -report.policyVersion()),
                Instant.ofEpochMilli(started),
                Instant.ofEpochMilli(completed),
                completed - started,
                sum(reports, SweepReport::streamsProcessed),
                sum(deleted.values(), TallyView::events),
                sum(deleted.values(), TallyView::bytes),
                deleted,
                sum(wouldDelete.values(), TallyView::events),
                sum(wouldDelete.values(), TallyView::bytes),
                wouldDelete,
                sum(reports, SweepReport::protectedEvents),
                sum(reports, SweepReport::heldEvents),
                reports.stream().anyMatch(SweepReport::isStoppedEarly));
    }

    private static Map<String, TallyView> tallies(
            List<SweepReport> reports, Function<SweepReport, Map<String, Tally>> which) {
        Map<String, Tally> sums = new TreeMap<>();
        reports.forEach(report -> which.apply(report).forEach((cause, tally) -> sums.merge(cause, tally, Tally::plus)));
        Map<String, TallyView> views = new TreeMap<>();
        sums.forEach((cause, tally) -> views.put(cause, new TallyView(tally.events(), tally.bytes())));
        return views;
    }

    private static long min(List<SweepReport> reports, ToLongFunction<SweepReport> value) {
        return reports.stream().mapToLong(value).min().orElse(0);
    }

    private static <T> long sum(Collection<T> values, ToLongFunction<T> value) {
        return values.stream().mapToLong(value).sum();
    }
}
