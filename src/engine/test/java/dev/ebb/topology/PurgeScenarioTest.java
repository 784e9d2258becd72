package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.all;
import static dev.ebb.topology.CommandFixture.atMost;
import static dev.ebb.topology.CommandFixture.child;
import static dev.ebb.topology.CommandFixture.completedBefore;
import static dev.ebb.topology.CommandFixture.counts;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.named;
import static dev.ebb.topology.CommandFixture.namespace;
import static dev.ebb.topology.CommandFixture.purge;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.TopologyFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.policy.Scope;
import dev.ebb.store.StoreCheck;
import dev.ebb.topology.parts.TopologySettings;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Streams that {@code purge} takes, and streams that it passes over. */
class PurgeScenarioTest {

    private TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("PurgeByIds")
    void purgeByIds() {
        // given
        completed("a", T0);
        completed("b", T0);
        completed("c", T0);

        // when
        CommandResult result = fixture.carryOut(request("c-1", purge(named("a", "c", "unknown"))));

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(counts(result))
                .isEqualTo("2 of 3 streams, 0 executions, 2 events, 0 protected, skipped {NOT_FOUND=1}");
        assertThat(streams()).containsExactly("b");
        fixture.emptyOut();
        assertThat(fixture.audits).hasSize(2).allSatisfy(audit -> {
            assertThat(audit.cause()).isEqualTo("PURGE");
            assertThat(audit.commandId()).isEqualTo("c-1");
        });
        assertConsistent();
    }

    @Test
    @DisplayName("PurgeByCompletedBefore")
    @Tag("M-13")
    void purgeByCompletedBefore() {
        // given
        completed("before", T0 - 1);
        completed("at", T0);
        completed("after", T0 + 1);
        fixture.execution(execution("run", 1, "completed", T0 - 1));
        fixture.event(event("run", "late").completedAt(T0 + 5).execution(1));

        // when
        fixture.carryOut(request("c-1", purge(completedBefore(T0))));

        // then
        assertThat(streams()).containsExactly("after", "at");
    }

    @Test
    @DisplayName("PurgeByBothJoinsWithAnd")
    void purgeByBothJoinsWithAnd() {
        // given
        completed("a/old", T0 - 10);
        completed("a/new", T0);
        completed("b/old", T0 - 10);
        completed("a/other", T0 - 10);

        // when
        List<StreamName> names = List.of(new StreamName("a/old"), new StreamName("a/new"), new StreamName("b/old"));
        fixture.carryOut(request("c-1", purge(new StreamFilter(names, T0 - 5, "a", 10, false))));

        // then
        assertThat(streams()).containsExactly("a/new", "a/other", "b/old");
    }

    @Test
    @DisplayName("PurgeSkipsOpenSilently")
    @Tag("M-6")
    void purgeSkipsOpenSilently() {
        // given
        completed("a", T0);
        fixture.event(event("b", "e").status("running"));
        fixture.event(event("c", "e").execution(1));

        // when
        CommandResult result = fixture.carryOut(request("c-1", purge(named("a", "b", "c"))));

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(counts(result))
                .isEqualTo("1 of 3 streams, 0 executions, 1 events, 0 protected, skipped {STREAM_OPEN=2}");
        assertThat(streams()).containsExactly("b", "c");
    }

    /** A mistyped name is reported, no matter which partition would have it. */
    @Test
    @Tag("O-9")
    void shouldNameStreamsThatDoNotExist() {
        // given
        completed("a", T0 - 100);

        // when
        CommandResult dry = fixture.carryOut(dryRun("c-1", purge(named("a", "unknown", "strange"))));
        CommandResult real = fixture.carryOut(request("c-2", purge(named("a", "unknown", "strange"))));

        // then
        assertThat(counts(dry)).isEqualTo(counts(real));
        assertThat(counts(real))
                .isEqualTo("1 of 3 streams, 0 executions, 1 events, 0 protected, skipped {NOT_FOUND=2}");
        assertThat(real.detail()).isEqualTo("there is no stream strange, unknown");
    }

    @ParameterizedTest
    @Tag("O-9")
    @CsvSource({"9, ''", "10, ''", "11, ' and 1 others'", "30, ' and 20 others'"})
    void shouldNameTenOfThemAndCountTheOthers(int missing, String others) {
        // given
        String[] names = new String[missing];
        for (int i = 0; i < missing; i++) {
            names[i] = String.format("s-%02d", i);
        }

        // when
        CommandResult result = fixture.carryOut(request("c-1", purge(named(names))));

        // then
        assertThat(result.outcome().deletions().streamsSkipped())
                .containsExactly(entry(Refusal.NOT_FOUND, (long) missing));
        assertThat(result.detail())
                .startsWith("there is no stream s-00, s-01, ")
                .endsWith((missing < 10 ? "s-08" : "s-09") + others);
    }

    @Test
    @Tag("M-18")
    void shouldSkipWhatIsHeld() {
        // given
        completed("a/1", T0);
        completed("b/1", T0);
        fixture.hold("LIT-1", Scope.namespace("a"));

        // when
        CommandResult result = fixture.carryOut(request("c-1", purge(all(1))));

        // then
        assertThat(counts(result)).isEqualTo("1 of 2 streams, 0 executions, 1 events, 0 protected, skipped {HELD=1}");
        assertThat(streams()).containsExactly("a/1");
    }

    @Test
    @DisplayName("PurgeSkipsStreamsWithOpenParent")
    @Tag("M-6")
    @Tag("O-12")
    void purgeSkipsStreamsWithOpenParent() {
        // given
        PartitionsFixture partitions = new PartitionsFixture(4);
        String open = partitions.nameIn(2, "open/");
        String closed = partitions.nameIn(3, "closed/");
        String kept = partitions.nameIn(1, "child/a");
        String gone = partitions.nameIn(1, "child/b");
        partitions.execution(execution(open, 1, "running"));
        partitions.execution(execution(closed, 1, "completed"));
        partitions.execution(child(kept, open, "completed"));
        partitions.execution(child(gone, closed, "completed"));

        // when
        CommandResult result = partitions.carryOut(request("c-1", purge(namespace("child"))));

        // then
        assertThat(counts(result))
                .isEqualTo("1 of 2 streams, 1 executions, 0 events, 0 protected, skipped {PARENT_OPEN=1}");
        assertThat(partitions.streams()).containsExactly(kept, closed, open);
    }

    @Test
    @DisplayName("PurgeLimitOverAllPartitions")
    void purgeLimitOverAllPartitions() {
        // given
        PartitionsFixture partitions = new PartitionsFixture(4);
        for (int i = 0; i < 100; i++) {
            partitions.event(event("s/" + i, "e").completedAt(T0 + i));
        }
        partitions.event(event("s/open", "e").status("running"));

        // when
        CommandResult result = partitions.carryOut(request("c-1", purge(all(37))));

        // then
        assertThat(counts(result))
                .isEqualTo("37 of 38 streams, 0 executions, 37 events, 0 protected, skipped {STREAM_OPEN=1}");
        assertThat(partitions.streams())
                .hasSize(64)
                .doesNotContain("s/0", "s/36")
                .contains("s/37", "s/99");
    }

    @Test
    @DisplayName("PurgeOldestCompletionFirst")
    void purgeOldestCompletionFirst() {
        // given
        completed("d", T0 - 1);
        completed("c", T0 - 3);
        completed("b", T0 - 2);
        completed("a", T0 - 2);

        // when
        fixture.carryOut(request("c-1", purge(all(2))));

        // then
        assertThat(streams()).containsExactly("b", "d");
    }

    @Test
    @DisplayName("PurgeWithoutFilterNeedsAll")
    void purgeWithoutFilterNeedsAll() {
        // given
        completed("a", T0);

        // when
        CommandResult refused =
                fixture.carryOut(request("c-1", purge(new StreamFilter(null, null, null, 1000, false))));

        // then
        assertThat(refused.refusal()).isEqualTo(Refusal.NO_FILTER);
        assertThat(streams()).containsExactly("a");

        // when
        fixture.carryOut(request("c-2", purge(all(1000))));

        // then
        assertThat(streams()).isEmpty();
    }

    @Test
    @DisplayName("PurgeEmptyIdListDeletesNothing")
    void purgeEmptyIdListDeletesNothing() {
        // given
        completed("a", T0);

        // when
        CommandResult result = fixture.carryOut(request("c-1", purge(named())));

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(counts(result)).isEqualTo("0 of 0 streams, 0 executions, 0 events, 0 protected, skipped {}");
        assertThat(streams()).containsExactly("a");
    }

    @Test
    @DisplayName("PurgeThousandsInBoundedSteps")
    @Tag("O-11")
    void purgeThousandsInBoundedSteps() {
        // given
        useBatchesOf(100);
        for (int i = 0; i < 3000; i++) {
            completed("s/" + i, T0 + i);
        }

        // when
        fixture.send(request("c-1", purge(all(5000))));
        int steps = 0;
        while (fixture.result("c-1") == null || !fixture.result("c-1").isFinal() || fixture.hasRetired()) {
            int before = fixture.mirrorLog.size();
            fixture.advance(10);
            assertThat(fixture.mirrorLog.size() - before).isLessThanOrEqualTo(200);
            steps++;
            assertThat(steps).isLessThan(10_000);
        }

        // then
        assertThat(fixture.result("c-1").outcome().deletions().streamsDeleted()).isEqualTo(3000);
        assertThat(fixture.results)
                .filteredOn(result -> result.state() == State.RUNNING)
                .as("progress")
                .isNotEmpty()
                .extracting(result -> result.outcome().deletions().streamsDeleted())
                .isSorted();
        assertThat(steps).isGreaterThanOrEqualTo(30);
        assertThat(fixture.stored()).isEmpty();
        assertConsistent();
    }

    @Test
    @DisplayName("PurgeSurvivesKill")
    @Tag("O-11")
    @Tag("I-7")
    void purgeSurvivesKill() {
        // given
        useBatchesOf(10);
        for (int i = 0; i < 200; i++) {
            completed("s/" + i, T0 + i);
            fixture.event(event("s/" + i, "f").completedAt(T0));
        }

        // when
        fixture.send(request("c-1", purge(all(150))));
        for (int i = 0;
                i < 200
                        && (fixture.result("c-1") == null
                                || !fixture.result("c-1").isFinal());
                i++) {
            fixture.restart();
            fixture.advance(1000);
        }
        fixture.emptyOut();

        // then
        assertThat(counts(fixture.result("c-1")))
                .isEqualTo("150 of 150 streams, 0 executions, 300 events, 0 protected, skipped {}");
        assertThat(streams()).hasSize(50).doesNotContain("s/149").contains("s/150");
        assertThat(fixture.mirror).hasSize(100);
        assertThat(fixture.audits.stream()
                        .mapToLong(audit -> audit.eventIds().size())
                        .sum())
                .isEqualTo(300);
        assertThat(fixture.results.stream().filter(CommandResult::isFinal)).hasSize(1);
        assertConsistent();
    }

    @Test
    @Tag("O-11")
    @Tag("I-7")
    void shouldFinishOnceWhenEveryPartitionIsKilledOnItsWay() {
        // given
        PartitionsFixture partitions = new PartitionsFixture(4, TopologyFixture.settings(OptionalLong.of(1), 5));
        for (int i = 0; i < 100; i++) {
            partitions.event(event("s/" + i, "e").completedAt(T0 + i));
        }

        // when
        partitions.send(request("c-1", purge(all(60))), 2);
        for (int i = 0; i < 200; i++) {
            partitions.tasks.get(i % 4).init();
            partitions.tick();
        }

        // then
        assertThat(counts(partitions.finish("c-1")))
                .isEqualTo("60 of 60 streams, 0 executions, 60 events, 0 protected, skipped {}");
        assertThat(partitions.results("c-1").stream().filter(CommandResult::isFinal))
                .hasSize(1);
        assertThat(partitions.streams()).hasSize(40);
    }

    @Test
    @Tag("O-11")
    void shouldRememberWhenItWasBegunOverARestart() {
        // given
        useBatchesOf(5);
        for (int i = 0; i < 100; i++) {
            completed("s/" + i, T0 + i);
        }
        fixture.send(request("c-1", purge(all(100))));
        long begunMs = fixture.nowMs();

        // when
        for (int i = 0; i < 3; i++) {
            fixture.advance(1000);
            fixture.restart();
        }

        // then
        assertThat(fixture.result("c-1") == null || !fixture.result("c-1").isFinal())
                .isTrue();
        assertThat(fixture.finish("c-1").startedAt().toEpochMilli()).isEqualTo(begunMs);
        assertThat(fixture.result("c-1").updatedAt().toEpochMilli()).isGreaterThan(begunMs);
    }

    @Test
    @Tag("O-11")
    void shouldLookForCandidatesInSlices() {
        // given
        TopologySettings settings = TopologyFixture.settings(OptionalLong.of(1), 10_000);
        fixture.close();
        fixture = TopologyFixture.inMemory(new SettingsLike(settings)
                .sweepEnabled(false)
                .sweepSlice(Duration.ZERO)
                .make());
        for (int i = 0; i < 60; i++) {
            completed("s/" + i, T0 + i);
        }

        // when
        fixture.send(dryRun("c-1", purge(namespace("nobody"))));
        int slices = 0;
        while (fixture.result("c-1") == null && slices < 1000) {
            fixture.advance(10);
            slices++;
        }

        // then
        assertThat(slices).isGreaterThan(20).isLessThan(1000);
    }

    @Test
    @DisplayName("PurgeReportsExactCounts")
    @Tag("O-9")
    void purgeReportsExactCounts() {
        // given
        completed("a", T0);
        fixture.event(event("a", "more").payloadBytes(10));
        fixture.event(event("b", "x").execution(1));
        fixture.execution(execution("b", 1, "completed"));
        fixture.execution(execution("b", 2, "failed"));
        fixture.event(event("open", "x").status("pending"));
        long bytes = fixture.reader().streams(null, "", null, 10).stream()
                .filter(usage -> !usage.stream().value().equals("open"))
                .mapToLong(StreamUsage::bytes)
                .sum();

        // when
        CommandResult dry = fixture.carryOut(dryRun("c-1", purge(all(10))));
        assertThat(streams()).containsExactly("a", "b", "open");
        CommandResult real = fixture.carryOut(request("c-2", purge(all(10))));

        // then
        assertThat(counts(real))
                .isEqualTo("2 of 3 streams, 2 executions, 3 events, 0 protected, skipped {STREAM_OPEN=1}");
        assertThat(real.outcome().deletions().bytesDeleted()).isEqualTo(bytes);
        assertThat(dry.outcome().deletions()).isEqualTo(real.outcome().deletions());
        assertThat(dry.dryRun()).isTrue();

        // and a dry run says so in a field of its own, also where its saved result answers once more
        assertThat(Outcomes.wouldDelete(dry)).isEqualTo(3);
        assertThat(Outcomes.wouldDeleteBytes(dry))
                .isEqualTo(real.outcome().deletions().bytesDeleted());
        assertThat(Outcomes.wouldDelete(real)).isZero();
        assertThat(fixture.carryOut(dryRun("c-1", purge(all(10))))).isEqualTo(dry);
    }

    @Test
    @DisplayName("PurgeReturnsZeroWhenNothingMatches")
    void purgeReturnsZeroWhenNothingMatches() {
        // given
        completed("a", T0);

        // when
        CommandResult result = fixture.carryOut(request("c-1", purge(namespace("nobody"))));

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(counts(result)).isEqualTo("0 of 0 streams, 0 executions, 0 events, 0 protected, skipped {}");
    }

    @Test
    @Tag("O-11")
    void shouldCarryOutOnceWhatIsSentTwice() {
        // given
        completed("a", T0);
        Command purge = purge(all(1));
        CommandResult first = fixture.carryOut(request("c-1", purge));
        completed("b", T0);

        // when
        fixture.send(request("c-1", purge));
        fixture.settle();

        // then
        assertThat(fixture.result("c-1")).isEqualTo(first);
        assertThat(streams()).containsExactly("b");
    }

    @Test
    void shouldRefuseToDeleteMoreThanItMay() {
        // given
        completed("a", T0);
        completed("b", T0);

        // when
        CommandResult refused = fixture.carryOut(atMost(1, "c-1", purge(all(10))));

        // then
        assertThat(refused.refusal()).isEqualTo(Refusal.TOO_MANY);
        assertThat(refused.detail()).contains("2").contains("1");
        assertThat(streams()).containsExactly("a", "b");

        // when
        CommandResult allowed = fixture.carryOut(atMost(2, "c-2", purge(all(10))));

        // then
        assertThat(counts(allowed)).isEqualTo("2 of 2 streams, 0 executions, 2 events, 0 protected, skipped {}");
        assertThat(streams()).isEmpty();
    }

    private void completed(String stream, long completedAt) {
        fixture.event(event(stream, "e").completedAt(completedAt));
    }

    private void useBatchesOf(int deletes) {
        fixture.close();
        fixture = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1), deletes));
    }

    private List<String> streams() {
        return fixture.reader().streams(null, "", null, Integer.MAX_VALUE).stream()
                .map(usage -> usage.stream().value())
                .toList();
    }

    private void assertConsistent() {
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
    }
}
