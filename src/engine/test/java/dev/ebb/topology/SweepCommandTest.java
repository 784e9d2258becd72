package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.sweep;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Outcome.Part;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.SweepWindow;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.model.SeededCases;
import dev.ebb.serde.text.JsonState;
import dev.ebb.store.StoreCheck;
import dev.ebb.store.layout.NamespaceTotals;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.wire.ErrandBodies;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sweeps by hand and their dry runs. */
@Tag("O-5")
class SweepCommandTest {

    private static final SweepWindow CLOSED = SweepWindow.parse("12:00-12:01 UTC");
    private static final long HOUR_MS = 3_600_000;
    private static final long STEP_MS = 10_000;

    private TopologyFixture fixture = closedFixture(10_000);

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldIgnoreIntervalAndWindow() {
        // given
        fixture.event(event("a/1", "old"));
        fixture.advance(2 * HOUR_MS);
        fixture.event(event("a/1", "new"));
        fixture.settleFor(10);
        assertThat(fixture.ids("a/1")).hasSize(2);

        // when
        CommandResult result = fixture.carryOut(request("c-1", sweep(Scope.ALL)));

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(fixture.ids("a/1")).containsExactly("new");
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(1);
        assertThat(result.outcome().deletions().streamsProcessed()).isEqualTo(1);
        assertThat(Outcomes.swept(result).parts().biggest()).singleElement().satisfies(part -> {
            assertThat(part.stream()).isEqualTo("a/1");
            assertThat(part.cause()).isEqualTo(RemovalCause.MAX_AGE);
        });
        assertThat(fixture.reports).singleElement().satisfies(report -> {
            assertThat(report.sweepId()).isEqualTo("c-1");
            assertThat(report.trigger()).isEqualTo("COMMAND");
            assertThat(report.sweepPointMs()).isEqualTo(Outcomes.sweepPointMs(result));
        });
        assertThat(fixture.audits).singleElement().satisfies(audit -> {
            assertThat(audit.sweepId()).isEqualTo("c-1");
            assertThat(audit.actor()).isEqualTo("anna");
            assertThat(audit.cause()).isEqualTo("MAX_AGE");
        });
    }

    /** A dry run counts events that would go, mode warn included; a sweep has deleted the former and not the latter. */
    @Test
    @Tag("O-5a")
    void shouldTellWhatWouldGoFromWhatIsGone() {
        // given
        fixture.event(event("enforced/1", "old"));
        fixture.event(event("warned/1", "old"));
        fixture.event(event("warned/1", "older"));
        fixture.policy(RetentionPolicy.of(Scope.namespace("warned"))
                .mode(PolicyMode.WARN)
                .build());
        fixture.advance(2 * HOUR_MS);

        // when
        CommandResult dry = fixture.carryOut(dryRun("c-1", sweep(Scope.ALL)));
        CommandResult one = fixture.carryOut(dryRun("c-2", sweep(Scope.stream("warned/1"))));
        CommandResult real = fixture.carryOut(request("c-3", sweep(Scope.ALL)));

        // then
        assertThat(Outcomes.wouldDelete(dry)).isEqualTo(3);
        assertThat(Outcomes.wouldDelete(one)).isEqualTo(2);
        assertThat(real.outcome().deletions().eventsDeleted()).isEqualTo(1);
        assertThat(Outcomes.wouldDelete(real)).isEqualTo(2);
        assertThat(fixture.ids("warned/1")).hasSize(2);
    }

    /** An emptied stream is counted out once, no matter how its last event went. */
    @Test
    @Tag("I-3")
    void shouldLeaveFiguresThatARecountConfirms() {
        // given streams of which all, most and nothing is due
        fixture.policy(RetentionPolicy.of(Scope.namespace("N"))
                .maxAge(Limit.of(1000))
                .intervalMs(HOUR_MS)
                .build());
        fixture.settleFor(3);
        for (int i = 0; i < 4; i++) {
            fixture.event(event("N/a", "plain-" + i));
        }
        fixture.event(event("N/a", "open").status("pending"));
        fixture.event(event("N/b", "plain"));
        fixture.event(event("N/c", "open").status("pending"));
        fixture.advance(2500);

        // when
        fixture.carryOut(request("c-1", sweep(Scope.namespace("N"))));
        fixture.carryOut(request("c-2", sweep(Scope.ALL)));
        fixture.advance(1000);

        // then
        TaskStatus status = Objects.requireNonNull(fixture.observer.status);
        assertThat(fixture.stored()).hasSize(2);
        assertThat(status.namespaces()).containsOnlyKeys("N");
        assertThat(status.namespaces().get("N"))
                .extracting(NamespaceTotals::streams, NamespaceTotals::events, NamespaceTotals::protectedEvents)
                .containsExactly(2L, 2L, 2L);
    }

    @Test
    @Tag("O-9")
    void shouldCountExecutionsOfWhichNothingIsLeft() {
        // given
        for (int number = 1; number <= 3; number++) {
            fixture.event(event("a/1", "e" + number).execution(number));
            fixture.execution(execution("a/1", number, "completed", fixture.nowMs()));
        }
        fixture.advance(2 * HOUR_MS);

        // when
        CommandResult real = fixture.carryOut(request("c-1", sweep(Scope.ALL)));

        // then
        assertThat(real.outcome().deletions().eventsDeleted()).isEqualTo(3);
        assertThat(real.outcome().deletions().executionsDeleted()).isEqualTo(3);
    }

    @Test
    void shouldSweepWhatItsScopeNames() {
        // given
        fixture.event(event("a/1", "old"));
        fixture.event(event("a/2", "old"));
        fixture.event(event("b/1", "old"));
        fixture.advance(2 * HOUR_MS);

        // when
        fixture.carryOut(request("c-1", sweep(Scope.stream("a/1"))));
        assertThat(fixture.stored()).hasSize(2);
        fixture.carryOut(request("c-2", sweep(Scope.namespace("a"))));

        // then
        assertThat(fixture.ids("a/2")).isEmpty();
        assertThat(fixture.ids("b/1")).containsExactly("old");
    }

    @Test
    @Tag("M-18")
    @Tag("M-16")
    void shouldRespectHoldsAndWarnMode() {
        // given
        fixture.event(event("held/1", "old"));
        fixture.event(event("warned/1", "old"));
        fixture.event(event("warned/2", "old"));
        fixture.hold("LIT-1", Scope.namespace("held"));
        fixture.policy(RetentionPolicy.of(Scope.namespace("warned"))
                .mode(PolicyMode.WARN)
                .build());
        fixture.advance(2 * HOUR_MS);
        fixture.settleFor(10);
        int scheduled = fixture.reports.size();

        // when
        CommandResult dry = fixture.carryOut(dryRun("c-1", sweep(Scope.ALL)));
        CommandResult real = fixture.carryOut(request("c-2", sweep(Scope.ALL)));

        // then
        assertThat(fixture.stored()).hasSize(3);
        assertThat(real.outcome().deletions().eventsDeleted()).isZero();
        assertThat(dry.outcome().deletions()).isEqualTo(real.outcome().deletions());
        assertThat(Outcomes.wouldDelete(dry)).isEqualTo(2);
        assertThat(Outcomes.wouldDelete(real)).isEqualTo(2);
        assertThat(Outcomes.wouldDeleteBytes(real))
                .isEqualTo(Outcomes.wouldDeleteBytes(dry))
                .isPositive();
        assertThat(fixture.reports.subList(scheduled, fixture.reports.size()))
                .singleElement()
                .satisfies(report -> {
                    assertThat(report.mode()).isEqualTo("warn");
                    assertThat(TopologyFixture.events(report.deleted())).isZero();
                    assertThat(TopologyFixture.events(report.wouldDelete())).isEqualTo(2);
                    assertThat(report.streamsProcessed()).isEqualTo(2);
                });
        assertThat(fixture.audits).isEmpty();
    }

    @Test
    @Tag("O-7")
    void shouldNotSweepByHandWithAWrongClock() {
        // given
        fixture.event(event("a/1", "old"));
        fixture.advance(2 * HOUR_MS);
        fixture.clockProblem("the clock is 3 days ahead");

        // when
        CommandResult refused = fixture.carryOut(request("c-1", sweep(Scope.ALL)));
        CommandResult dry = fixture.carryOut(dryRun("c-2", sweep(Scope.ALL)));

        // then
        assertThat(refused.refusal()).isEqualTo(Refusal.NOT_READY);
        assertThat(refused.detail()).contains("3 days");
        assertThat(dry.outcome().deletions().eventsDeleted()).isEqualTo(1);
        assertThat(fixture.ids("a/1")).containsExactly("old");
    }

    @Test
    @Tag("O-7")
    void shouldWaitWhenTheClockGoesWrongInItsMiddle() {
        // given a sweep that has begun
        fixture.close();
        fixture = closedFixture(10);
        for (int i = 0; i < 300; i++) {
            fixture.event(event("a/1", "e" + i));
        }
        fixture.advance(2 * HOUR_MS);
        fixture.send(request("c-1", sweep(Scope.ALL)));
        while (fixture.ids("a/1").size() == 300) {
            fixture.advance(10);
        }
        int left = fixture.ids("a/1").size();
        assertThat(left).isPositive();

        // when
        fixture.clockProblem("the clock is 3 days ahead");
        fixture.settleFor(3);

        // then
        assertThat(fixture.ids("a/1")).hasSize(left);

        // when
        fixture.clockProblem(null);

        // then
        assertThat(fixture.finish("c-1").outcome().deletions().eventsDeleted()).isEqualTo(300);
    }

    @ParameterizedTest
    @ValueSource(longs = {5 * 60_000L, 10 * 365 * 24 * HOUR_MS})
    @Tag("I-2")
    void shouldDeleteNothingBeforeItsTimeWhateverPointAnErrandNames(long aheadMs) {
        // given
        fixture.event(event("a/1", "young"));
        fixture.advance(HOUR_MS - 60_000);
        CommandRequest request = request("c-1", sweep(Scope.ALL));
        String body = JsonState.write(new ErrandBodies.SweepNow(request, fixture.nowMs() + aheadMs, null));
        byte[] errand = fixture.records.errand(new Errand("c-1", Errand.Step.SWEEP, 0, body));

        // when
        fixture.pipe(
                TopologyFixture.TOPICS.commands(),
                "c-1".getBytes(StandardCharsets.UTF_8),
                errand,
                new RecordHeaders(),
                fixture.nowMs());
        fixture.settleFor(3);

        // then
        assertThat(fixture.ids("a/1")).containsExactly("young");
    }

    @Test
    void shouldSayWhatItWouldDeleteAtAnotherTime() {
        // given
        long storedAt = fixture.nowMs();
        fixture.event(event("a/1", "a"));

        // when
        Command at = new Command.SweepNow(Scope.ALL, storedAt + HOUR_MS);
        Command after = new Command.SweepNow(Scope.ALL, storedAt + HOUR_MS + 1);
        CommandResult notYet = fixture.carryOut(dryRun("c-1", at));
        CommandResult then = fixture.carryOut(dryRun("c-2", after));

        // then
        assertThat(notYet.outcome().deletions().eventsDeleted()).isZero();
        assertThat(then.outcome().deletions().eventsDeleted()).isEqualTo(1);
        assertThat(Outcomes.sweepPointMs(then)).isEqualTo(storedAt + HOUR_MS + 1);
        assertThat(fixture.ids("a/1")).containsExactly("a");
    }

    @Test
    @Tag("O-11")
    @Tag("I-7")
    void shouldAddUpOverKills() {
        // given
        use(closedFixture(10));
        for (int i = 0; i < 100; i++) {
            fixture.event(event("a/1", "e" + i));
            fixture.event(event("a/2", "e" + i));
        }
        fixture.advance(2 * HOUR_MS);

        // when
        fixture.send(request("c-1", sweep(Scope.ALL)));
        for (int i = 0; i < 50 && (fixture.result("c-1") == null); i++) {
            fixture.restart();
            fixture.advance(1000);
        }

        // then
        CommandResult result = fixture.finish("c-1");
        assertThat(result.outcome().deletions().eventsDeleted()).isEqualTo(200);
        assertThat(result.outcome().deletions().streamsProcessed()).isEqualTo(2);
        assertThat(Outcomes.swept(result).parts().biggest())
                .extracting(Part::stream, Part::events)
                .containsExactlyInAnyOrder(tuple("a/1", 100L), tuple("a/2", 100L));
        assertThat(fixture.stored()).isEmpty();
        assertThat(fixture.reports).singleElement().satisfies(report -> assertThat(
                        TopologyFixture.events(report.deleted()))
                .isEqualTo(200));
        assertConsistent();
    }

    @Test
    @Tag("O-10")
    void shouldLeaveAloneWhatIsDeletedInItsMiddle() {
        // given
        use(closedFixture(10));
        for (int i = 0; i < 100; i++) {
            fixture.event(event("a/1", "e" + i));
        }
        fixture.advance(2 * HOUR_MS);
        fixture.send(request("c-1", sweep(Scope.ALL)));
        for (int i = 0; i < 1000 && fixture.ids("a/1").size() == 100; i++) {
            fixture.advance(10);
        }

        // when
        CommandResult deleted = fixture.carryOut(request("c-2", CommandFixture.delete("a/1")));
        fixture.event(event("a/1", "e1"));
        CommandResult swept = fixture.finish("c-1");
        fixture.emptyOut();

        // then
        assertThat(fixture.ids("a/1")).containsExactly("e1");
        assertThat(swept.outcome().deletions().eventsDeleted()
                        + deleted.outcome().deletions().eventsDeleted())
                .isEqualTo(100);
        assertConsistent();
    }

    @Test
    @Tag("O-4")
    void shouldReportProtectedAndHeldEventsOfItsScope() {
        // given
        use(closedFixture(2));
        for (int i = 0; i < 5; i++) {
            fixture.event(event("a/1", "e" + i));
            fixture.event(event("a/held", "e" + i));
            fixture.event(event("b/held", "e" + i));
        }
        fixture.event(event("a/1", "p1").status("running"));
        fixture.event(event("a/1", "p2").status("running"));
        fixture.event(event("a/quiet", "p3").status("running"));
        fixture.hold("LIT-1", Scope.stream("a/held"));
        fixture.hold("LIT-2", Scope.namespace("b"));
        fixture.advance(2 * HOUR_MS);

        // when it is killed on its way
        fixture.send(request("c-1", sweep(Scope.namespace("a"))));
        fixture.advance(1000);
        fixture.restart();
        fixture.finish("c-1");

        // then
        assertThat(fixture.reports).singleElement().satisfies(report -> {
            assertThat(report.commandId()).isEqualTo("c-1");
            assertThat(TopologyFixture.events(report.deleted())).isEqualTo(5);
            assertThat(report.protectedEvents()).isEqualTo(2);
            assertThat(report.heldEvents()).isEqualTo(5);
        });
    }

    @Test
    @Tag("slow")
    @DisplayName("DryRunEqualsRun")
    void dryRunEqualsRun() {
        SeededCases.forAFew(100, random -> {
            try (TopologyFixture own = closedFixture(1 + random.nextInt(20))) {
                fill(own, random);
                own.advance(STEP_MS * random.nextInt(720) + 1);
                long before = own.stored().size();
                CommandResult dry = own.carryOut(dryRun("dry", sweep(Scope.ALL)));
                assertThat(own.stored()).hasSize((int) before);
                CommandResult real = own.carryOut(request("real", sweep(Scope.ALL)));
                CommandResult again = own.carryOut(dryRun("again", sweep(Scope.ALL)));

                assertThat(real.outcome().deletions().eventsDeleted())
                        .isEqualTo(before - own.stored().size());
                assertThat(Outcomes.swept(dry).parts().biggest())
                        .containsExactlyInAnyOrderElementsOf(
                                Outcomes.swept(real).parts().biggest());
                assertThat(dry.outcome().deletions()).isEqualTo(real.outcome().deletions());
                assertThat(Outcomes.sweepPointMs(real)).isLessThan(Outcomes.sweepPointMs(dry) + STEP_MS);
                assertThat(again.outcome().deletions().eventsDeleted()).isZero();
            }
        });
    }

    /** Times are multiples of ten seconds, so that nothing falls due between the dry run and the run. */
    private static void fill(TopologyFixture fixture, Random random) {
        for (int i = 0; i < 5; i++) {
            fixture.policy(policy(random, Scope.stream("s/" + i)));
        }
        if (random.nextInt(4) == 0) {
            fixture.hold("LIT", Scope.stream("s/" + random.nextInt(5)));
        }
        for (int i = 0; i < 120; i++) {
            String stream = "s/" + random.nextInt(5);
            var event = event(stream, "e" + random.nextInt(60))
                    .status(random.nextInt(8) == 0 ? "pending" : "completed")
                    .execution(stream.equals("s/4") ? random.nextInt(4) : 0)
                    .payloadBytes(random.nextInt(100));
            fixture.event(random.nextInt(3) == 0 ? event.ttlSeconds(10 * (1 + random.nextInt(720))) : event);
            if (random.nextInt(10) == 0) {
                fixture.advance(STEP_MS * random.nextInt(60));
            }
        }
        for (int number = 1; number < 4; number++) {
            fixture.execution(execution("s/4", number, random.nextInt(3) == 0 ? "running" : "completed"));
        }
    }

    private static RetentionPolicy policy(Random random, Scope scope) {
        return RetentionPolicy.of(scope)
                .maxAge(random.nextBoolean() ? Limit.of(STEP_MS * (1 + random.nextInt(720))) : null)
                .maxCount(random.nextInt(3) == 0 ? Limit.of(1 + random.nextInt(20)) : null)
                .set(PolicyField.MAX_BYTES, random.nextInt(3) == 0 ? Limit.of(200 + random.nextInt(3000)) : null)
                .set(PolicyField.KEEP_LAST, random.nextInt(3) == 0 ? Limit.of(1 + random.nextInt(5)) : null)
                .set(PolicyField.MIN_AGE, random.nextInt(4) == 0 ? Limit.of(STEP_MS * (1 + random.nextInt(60))) : null)
                .anchor(random.nextBoolean() ? null : Anchor.values()[random.nextInt(3)])
                .mode(random.nextInt(6) == 0 ? PolicyMode.WARN : null)
                .build();
    }

    private void use(TopologyFixture other) {
        fixture.close();
        fixture = other;
    }

    /** Nothing is swept but by hand: events live for an hour, and the window opens at noon only. */
    private static TopologyFixture closedFixture(int batchDeletes) {
        TopologyFixture fixture =
                TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.empty(), batchDeletes));
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(HOUR_MS))
                .set(PolicyField.WINDOW, CLOSED)
                .build());
        fixture.settleFor(1);
        return fixture;
    }

    private void assertConsistent() {
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
    }
}
