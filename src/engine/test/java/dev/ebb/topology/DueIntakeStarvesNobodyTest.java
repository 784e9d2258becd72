package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.sweep;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.SweepWindow;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.store.StoreCheck;
import dev.ebb.topology.observe.TaskStatus.SweepState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Backfill whose events arrive due, faster than slices of ten deletes take them, beside streams that lose one event now
 * and then: a stream waits for one slice of every other, however many due events wait (O-2).
 */
@Tag("O-2")
class DueIntakeStarvesNobodyTest {

    private static final int DELETES = 10;
    private static final int PER_SECOND = 55;
    private static final int MOST_SECONDS = 120;
    private static final long SECOND_MS = 1000;
    private static final long MINUTE_MS = 60_000;
    private static final long OLD_MS = Duration.ofDays(1).toMillis();
    private static final SweepWindow CLOSED = SweepWindow.parse("12:00-12:01 UTC");

    private TopologyFixture fixture = fixture(SECOND_MS);
    private int sent;

    @AfterEach
    void close() {
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
        fixture.close();
    }

    /** The case as it was found: other streams overdue, a cap not enforced, and one sweep without end. */
    @Test
    @Tag("O-4")
    void shouldSweepOthersAndReportWhileDueEventsKeepComing() {
        // given
        begin(SweepWindow.ALWAYS);
        fixture.event(event("quiet/due", "old"));
        fixture.event(event("quiet/capped", "old"));
        List<Long> points = new ArrayList<>();

        // when
        for (int second = 1; second <= MOST_SECONDS; second++) {
            second(1);
            if (second % 30 == 0) {
                fixture.event(event("quiet/capped", "e" + second));
                fixture.event(event("quiet/due", "e" + second));
            }
            if (second % 30 == 3) {
                assertThat(fixture.ids("quiet/capped")).as("cap at " + second).hasSize(1);
            }
        }

        // then
        assertThat(fixture.ids("busy/0")).hasSizeGreaterThan(MOST_SECONDS * (PER_SECOND - DELETES) - DELETES);
        assertThat(fixture.ids("quiet/due")).containsExactly("e60", "e90", "e120");
        fixture.reports.forEach(report -> points.add(report.sweepPointMs()));
        assertThat(points).hasSizeGreaterThan(3).isSorted().doesNotHaveDuplicates();
        assertThat(fixture.reports)
                .anySatisfy(report -> assertThat(report.isStoppedEarly()).isTrue());
        fixture.settle();
        assertThat(TopologyFixture.events(sums()))
                .isEqualTo(sent + 10 - fixture.stored().size());
    }

    /** The wait is bounded by the number of due streams, and does not grow with the number of their events. */
    @ParameterizedTest
    @CsvSource({"1, 5", "1, 40", "2, 40", "3, 5", "3, 40", "8, 10"})
    void shouldWaitForOneSliceOfEachDueStream(int streams, int seconds) {
        // given
        begin(SweepWindow.ALWAYS);
        fixture.event(event("quiet/capped", "old"));
        fixture.event(event("quiet/due", "old"));
        for (int i = 0; i < seconds; i++) {
            second(streams);
        }
        fixture.event(event("quiet/capped", "new"));
        int slices = 0;

        // when
        while (fixture.ids("quiet/capped").size() > 1 && slices < 100) {
            second(streams);
            slices++;
        }

        // then
        assertThat(slices).isLessThanOrEqualTo(streams + 1);

        // and of a stream with an event that falls due
        fixture.event(event("quiet/due", "e1").ttlSeconds(1));
        second(streams);
        for (slices = 0; fixture.ids("quiet/due").contains("e1") && slices < 100; slices++) {
            second(streams);
        }
        assertThat(slices).isLessThanOrEqualTo(streams + 1);
    }

    /** Each event comes with a stream of its own: none of them was due when the sweep began. */
    @Test
    void shouldEndASweepAlthoughEachSecondBringsNewDueStreams() {
        // given
        begin(SweepWindow.ALWAYS);
        fixture.event(event("quiet/capped", "old"));

        // when
        for (int second = 0; second < 60; second++) {
            for (int i = 0; i < PER_SECOND; i++) {
                old("busy/" + sent);
            }
            if (second == 30) {
                fixture.event(event("quiet/capped", "new"));
            }
            fixture.advance(SECOND_MS);
        }

        // then
        assertThat(fixture.reports).hasSizeGreaterThanOrEqualTo(2);
        assertThat(fixture.stored()).hasSizeGreaterThan(1000);
    }

    /** An interval of a day does not make a sweep that lasts for a day: late events wait for the next one. */
    @Test
    @Tag("O-1")
    void shouldLeaveToTheNextSweepWhatComesWithoutEnd() {
        // given
        fixture.close();
        fixture = fixture(Duration.ofDays(1).toMillis());
        begin(SweepWindow.ALWAYS);

        // when
        for (int second = 0; second < 60 && fixture.reports.isEmpty(); second++) {
            second(1);
        }

        // then
        assertThat(fixture.reports).hasSize(1);
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.IDLE);
        assertThat(fixture.ids("busy/0")).hasSizeGreaterThan(PER_SECOND);
    }

    /** A stream over its cap that is filled faster than slices empty it is one of those that come without end. */
    @Test
    void shouldSweepOthersWhileAStreamStaysOverItsCap() {
        // given
        begin(SweepWindow.ALWAYS);
        fixture.event(event("quiet/due", "e1").ttlSeconds(10));

        // when
        for (int second = 0; second < 20; second++) {
            for (int i = 0; i < PER_SECOND; i++) {
                fixture.event(event("quiet/capped", "e" + sent++));
            }
            fixture.advance(SECOND_MS);
        }

        // then
        assertThat(fixture.ids("quiet/due")).isEmpty();
        assertThat(fixture.ids("quiet/capped")).hasSizeGreaterThan(100);
        assertThat(fixture.reports).hasSizeGreaterThan(1);
    }

    /** Reports of mode warn come within their interval, although no slice leaves the sweeps anything (O-5a). */
    @Test
    @Tag("O-5a")
    void shouldReportWhatWouldGoWhileDueEventsKeepComing() {
        // given
        begin(SweepWindow.ALWAYS);
        fixture.policy(RetentionPolicy.of(Scope.stream("quiet/warned"))
                .maxAge(Limit.of(SECOND_MS))
                .mode(PolicyMode.WARN)
                .build());
        for (int second = 0; second < 30; second++) {
            second(1);
        }
        fixture.event(event("quiet/warned", "e1"));

        // when
        for (int second = 0; second < 5; second++) {
            second(1);
        }

        // then
        assertThat(fixture.reports).anySatisfy(report -> {
            assertThat(report.mode()).isEqualTo("warn");
            assertThat(TopologyFixture.events(report.wouldDelete())).isEqualTo(1);
        });
    }

    /** A sweep by hand goes around in the same way, and ends. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @Tag("O-5")
    void shouldGoAroundByHandAndEnd(int streams) {
        // given
        begin(CLOSED);
        for (int i = 0; i < 10; i++) {
            second(streams);
        }
        fixture.event(event("quiet/due", "e1").ttlSeconds(1));
        fixture.event(event("quiet/capped", "old"));
        fixture.event(event("quiet/capped", "new"));
        second(streams);
        second(streams);
        assertThat(fixture.reports).isEmpty();
        fixture.send(request("c-1", sweep(Scope.ALL)));

        // when
        int slices = 0;
        for (; fixture.ids("quiet/due").size() + fixture.ids("quiet/capped").size() > 1 && slices < 100; slices++) {
            second(streams);
        }
        for (int i = 0; i < 2000 && !isDone("c-1"); i++) {
            second(streams);
        }

        // then one more slice than a round, since the partition asks itself first
        assertThat(slices).isLessThanOrEqualTo(streams + 2);
        assertThat(isDone("c-1")).isTrue();
        CommandResult result = fixture.result("c-1");
        assertThat(result.outcome().deletions().streamsProcessed()).isEqualTo(streams + 2);
        assertThat(result.outcome().deletions().eventsDeleted())
                .isEqualTo(Outcomes.swept(result).parts().biggest().stream()
                        .mapToLong(part -> part.events())
                        .sum())
                .isGreaterThan(12L * PER_SECOND);
        assertThat(Outcomes.swept(result).parts().biggest())
                .filteredOn(part -> part.stream().equals("quiet/capped"))
                .singleElement()
                .satisfies(part -> assertThat(part.cause()).isEqualTo(RemovalCause.MAX_COUNT));
        assertThat(fixture.reports)
                .filteredOn(report -> report.trigger().equals("COMMAND"))
                .hasSize(1);
    }

    /** A dry run counts the events that there are, and those that come do not prolong it without end. */
    @Test
    @Tag("O-5")
    void shouldEndADryRunWhileDueEventsKeepComing() {
        // given
        begin(CLOSED);
        second(1);

        // when
        fixture.send(CommandFixture.dryRun("c-1", sweep(Scope.ALL)));
        for (int i = 0; i < 100 && !isDone("c-1"); i++) {
            second(1);
        }

        // then
        assertThat(isDone("c-1")).isTrue();
        assertThat(fixture.result("c-1").outcome().deletions().eventsDeleted())
                .isBetween((long) PER_SECOND, 3L * PER_SECOND);
    }

    /** A crash in the middle of a round loses no count of a stream that is under way (O-11). */
    @Test
    @Tag("O-11")
    void shouldGoOnWithItsRoundBehindARestart() {
        // given
        begin(CLOSED);
        for (int stream = 0; stream < 3; stream++) {
            for (int i = 0; i < 25; i++) {
                old("busy/" + stream);
            }
        }
        fixture.advance(SECOND_MS);
        fixture.send(request("c-1", sweep(Scope.ALL)));
        fixture.advance(SECOND_MS);
        fixture.advance(SECOND_MS);

        // when
        fixture.restart();
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(75);
        assertThat(result.outcome().deletions().streamsProcessed()).isEqualTo(3);
        assertThat(Outcomes.swept(result).parts().biggest()).hasSize(3).allSatisfy(part -> assertThat(part.events())
                .isEqualTo(25));
        assertThat(fixture.stored()).isEmpty();
    }

    /** Streams that change their order move in turn, a little in each slice: sweeps leave them alone until then. */
    @Test
    @Tag("A-7")
    void shouldMoveASmallStreamBesideALargeOne() {
        // given
        fixture.close();
        fixture = TopologyFixture.inMemory(new SettingsLike(TopologyFixture.settings(OptionalLong.empty(), 1000))
                .sweepSlice(Duration.ofNanos(1))
                .make());
        for (int i = 0; i < 200; i++) {
            fixture.event(event("busy/0", "e" + i));
        }
        fixture.event(event("quiet/small", "e"));
        fixture.settle();

        // when
        fixture.policy(RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED).build());
        int slices = 0;
        while (fixture.status().movingStreams() != 1 && slices < 100) {
            fixture.advance(SECOND_MS);
            slices++;
        }

        // then
        assertThat(slices).isLessThan(20);
        fixture.settle();
        assertThat(fixture.ids("busy/0")).hasSize(200);
    }

    private boolean isDone(String commandId) {
        CommandResult result = fixture.result(commandId);
        return result != null && result.isFinal();
    }

    private Map<String, SweepReport.Tally> sums() {
        Map<String, SweepReport.Tally> sums = new HashMap<>();
        fixture.reports.forEach(report -> report.deleted()
                .forEach((cause, tally) ->
                        sums.merge(cause, tally, (one, other) -> one.plus(other.events(), other.bytes()))));
        return sums;
    }

    /** Backfill of a second for each of so many streams, and a slice. */
    private void second(int streams) {
        IntStream.range(0, streams)
                .forEach(stream -> IntStream.range(0, PER_SECOND).forEach(i -> old("busy/" + stream)));
        fixture.advance(SECOND_MS);
    }

    private void old(String stream) {
        fixture.event(event(stream, "e" + sent).occurredAt(fixture.nowMs() - OLD_MS + sent));
        sent++;
    }

    private void begin(SweepWindow window) {
        fixture.policy(RetentionPolicy.of(Scope.namespace("busy"))
                .anchor(Anchor.OCCURRED)
                .maxAge(Limit.of(MINUTE_MS))
                .set(PolicyField.WINDOW, window)
                .build());
        fixture.policy(RetentionPolicy.of(Scope.namespace("quiet"))
                .maxAge(Limit.of(MINUTE_MS))
                .set(PolicyField.WINDOW, window)
                .build());
        fixture.policy(RetentionPolicy.of(Scope.stream("quiet/capped"))
                .maxAge(Limit.NONE)
                .maxCount(Limit.of(1))
                .build());
        fixture.advance(SECOND_MS);
    }

    private static TopologyFixture fixture(long intervalMs) {
        return TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(intervalMs), DELETES));
    }
}
