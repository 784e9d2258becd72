package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.atMost;
import static dev.ebb.topology.CommandFixture.counts;
import static dev.ebb.topology.CommandFixture.deleteEvent;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.setTtl;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.store.StoreCheck;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Effects of commands on a single event. */
class EventCommandTest {

    private static final String STREAM = "orders/1";

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("SetTtlOnStoredEvent")
    @Tag("M-10")
    @Tag("M-17")
    void setTtlOnStoredEvent() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.event(event(STREAM, "b"));
        fixture.advance(10_000);

        // when
        CommandResult result = fixture.carryOut(request("c-1", setTtl(STREAM, "a", 5000)));
        long setAt = result.updatedAt().toEpochMilli();

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(counts(result)).isEqualTo("0 of 1 streams, 0 executions, 0 events, 0 protected, skipped {}");
        assertThat(expiresAt("a")).isEqualTo(setAt + 5000);
        fixture.advance(setAt + 5000 - fixture.nowMs());
        assertThat(fixture.visibleIds(STREAM)).containsExactly("a", "b");
        fixture.advance(1);
        assertThat(fixture.visibleIds(STREAM)).containsExactly("b");
        fixture.settle();
        assertThat(fixture.ids(STREAM)).containsExactly("b");
        assertConsistent();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE - 1, Long.MAX_VALUE})
    @Tag("M-10")
    void shouldNotFailOverTheLongestTtl(long ttlMs) {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.MAX_TTL, Limit.of(Long.MAX_VALUE))
                .build());
        fixture.event(event(STREAM, "a"));

        // when
        CommandResult result = fixture.carryOut(request("c-1", setTtl(STREAM, "a", ttlMs)));

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(result.detail()).isEqualTo("it is never due by age");
        assertConsistent();
    }

    @Test
    @Tag("M-17")
    void shouldHideAtOnceWhatHasExpiredByItsNewTtl() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.advance(1000);

        // when
        OwnTtl past = OwnTtl.of(null, fixture.nowMs() - 500, false);
        CommandResult result = fixture.carryOut(request("c-1", setTtl(STREAM, "a", past)));

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(result.detail())
                .isEqualTo(
                        "its last moment is %s, which has passed: the next sweep deletes it",
                        Instant.ofEpochMilli(past.expiresAt()));
        assertThat(fixture.visibleIds(STREAM)).isEmpty();
    }

    @Test
    @Tag("O-9")
    void shouldCountInADryRunWhatWouldBeDueAtOnce() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(5000)).build());
        fixture.event(event(STREAM, "a").ttlSeconds(100));
        fixture.event(event(STREAM, "open").status("pending"));
        fixture.advance(5001);
        OwnTtl past = OwnTtl.of(null, fixture.nowMs(), false);
        OwnTtl future = OwnTtl.of(null, fixture.nowMs() + 10_000, false);

        // when
        CommandResult byTtl = fixture.carryOut(dryRun("c-1", setTtl(STREAM, "a", past)));
        CommandResult byAge = fixture.carryOut(dryRun("c-2", setTtl(STREAM, "a", OwnTtl.NONE)));
        CommandResult later = fixture.carryOut(dryRun("c-3", setTtl(STREAM, "a", future)));
        CommandResult open = fixture.carryOut(dryRun("c-4", setTtl(STREAM, "open", past)));
        long size = fixture.stored().stream()
                .filter(stored -> stored.event().id().value().equals("a"))
                .findFirst()
                .orElseThrow()
                .sizeBytes();
        CommandResult real = fixture.carryOut(request("c-5", setTtl(STREAM, "a", past)));
        fixture.settle();

        // then
        assertThat(byTtl.outcome().deletions().eventsDeleted()).isEqualTo(1);
        assertThat(byTtl.outcome().deletions().bytesDeleted()).isEqualTo(size);
        assertThat(byAge.outcome().deletions()).isEqualTo(byTtl.outcome().deletions());
        assertThat(later.outcome().deletions().eventsDeleted()).isZero();
        assertThat(later.detail()).isEqualTo("its last moment is %s", Instant.ofEpochMilli(future.expiresAt()));
        assertThat(open.outcome().deletions().eventsDeleted()).isZero();
        assertThat(open.detail()).isEqualTo("it is protected, and stays until its work is finished");
        assertThat(real.outcome().deletions().eventsDeleted()).isZero();
        assertThat(fixture.ids(STREAM)).containsExactly("open");
    }

    @Test
    void shouldSayThatAHoldKeepsWhatItsNewTtlWouldTake() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.hold("LIT-1", Scope.ALL);
        fixture.advance(1000);

        // when
        OwnTtl past = OwnTtl.of(null, fixture.nowMs() - 500, false);
        CommandResult dry = fixture.carryOut(dryRun("c-1", setTtl(STREAM, "a", past)));

        // then
        assertThat(dry.outcome().deletions().eventsDeleted()).isZero();
        assertThat(dry.detail()).contains("something keeps it");
    }

    @Test
    @Tag("M-10")
    void shouldRefuseATtlOutsideTheBounds() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.MIN_TTL, Limit.of(5000))
                .set(PolicyField.MAX_TTL, Limit.of(60_000))
                .build());
        fixture.event(event(STREAM, "a"));
        long storedAt = fixture.nowMs();
        fixture.settle();

        // when
        CommandResult tooShort = carryOut("c-1", OwnTtl.of(null, storedAt + 4999, false));
        CommandResult tooLong = carryOut("c-2", OwnTtl.of(null, storedAt + 60_001, false));
        CommandResult shortest = carryOut("c-3", OwnTtl.of(null, storedAt + 5000, false));
        CommandResult longest = carryOut("c-4", OwnTtl.of(null, storedAt + 60_000, false));

        // then
        assertThat(tooShort.refusal()).isEqualTo(Refusal.TTL_OUT_OF_BOUNDS);
        assertThat(tooLong.refusal()).isEqualTo(Refusal.TTL_OUT_OF_BOUNDS);
        assertThat(tooShort.detail())
                .isEqualTo(
                        "by the policy it must end no earlier than %s, 5s after the anchor",
                        Instant.ofEpochMilli(storedAt + 5000));
        assertThat(tooLong.detail())
                .isEqualTo(
                        "by the policy it must end no later than %s, 1m after the anchor",
                        Instant.ofEpochMilli(storedAt + 60_000));
        assertThat(shortest.state()).isEqualTo(State.DONE);
        assertThat(longest.state()).isEqualTo(State.DONE);
        assertThat(expiresAt("a")).isEqualTo(storedAt + 60_000);
    }

    @Test
    @Tag("M-10")
    void shouldKeepForEverOnlyWherePoliciesAllowIt() {
        // given
        fixture.event(event(STREAM, "a").ttlSeconds(100));

        // when
        CommandResult refused = carryOut("c-1", OwnTtl.INFINITE);
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.ALLOW_INFINITE_TTL, true)
                .build());
        fixture.settle();
        CommandResult allowed = carryOut("c-2", OwnTtl.INFINITE);

        // then
        assertThat(refused.refusal()).isEqualTo(Refusal.TTL_OUT_OF_BOUNDS);
        assertThat(allowed.state()).isEqualTo(State.DONE);
        fixture.advance(200_000);
        fixture.settle();
        assertThat(fixture.ids(STREAM)).containsExactly("a");
    }

    @Test
    @Tag("M-10")
    void shouldInheritAgain() {
        // given
        fixture.event(event(STREAM, "a").ttlSeconds(100));

        // when
        carryOut("c-1", OwnTtl.NONE);
        fixture.advance(200_000);
        fixture.settle();

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("a");
        assertThat(fixture.stored())
                .singleElement()
                .satisfies(stored -> assertThat(stored.event().ttl()).isEqualTo(OwnTtl.TAKEN_AWAY));
        assertConsistent();
    }

    @Test
    @Tag("O-9")
    void shouldChangeNoTtlInADryRun() {
        // given
        fixture.event(event(STREAM, "a").ttlSeconds(100));

        // when
        CommandResult dry = fixture.carryOut(dryRun("c-1", setTtl(STREAM, "a", OwnTtl.NONE)));

        // then
        assertThat(dry.state()).isEqualTo(State.DONE);
        assertThat(fixture.stored().get(0).event().ttl()).isEqualTo(OwnTtl.of(100L, null, false));
    }

    @Test
    @Tag("M-18")
    @Tag("M-2")
    void shouldChangeTheTtlOfAHeldEventWhichLeavesItAlone() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.hold("LIT-1", Scope.ALL);

        // when
        CommandResult result = fixture.carryOut(request("c-1", setTtl(STREAM, "a", 1)));
        fixture.advance(10_000);

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(fixture.ids(STREAM)).containsExactly("a");
    }

    @Test
    @Tag("I-5")
    @Tag("O-9")
    void shouldDeleteOneEvent() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.event(event(STREAM, "b"));

        // when
        CommandResult dry = fixture.carryOut(dryRun("c-1", deleteEvent(STREAM, "a", false)));
        assertThat(fixture.ids(STREAM)).containsExactly("a", "b");
        CommandResult real = fixture.carryOut(request("c-2", deleteEvent(STREAM, "a", false)));

        // then
        assertThat(counts(real)).isEqualTo("0 of 1 streams, 0 executions, 1 events, 0 protected, skipped {}");
        assertThat(dry.outcome().deletions()).isEqualTo(real.outcome().deletions());
        assertThat(fixture.ids(STREAM)).containsExactly("b");
        assertThat(fixture.mirror).hasSize(1);
        assertThat(fixture.audits).singleElement().satisfies(audit -> {
            assertThat(audit.cause()).isEqualTo("DELETE");
            assertThat(audit.actor()).isEqualTo("anna");
        });
        assertConsistent();
    }

    @Test
    void shouldForgetTheStreamWithItsLastEvent() {
        // given
        fixture.event(event(STREAM, "a"));

        // when
        fixture.carryOut(request("c-1", deleteEvent(STREAM, "a", false)));
        fixture.event(event(STREAM, "b"));
        fixture.settle();

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("b");
        assertConsistent();
    }

    @Test
    @Tag("M-4")
    @Tag("M-5")
    void shouldDeleteAProtectedEventOnlyIfForced() {
        // given
        fixture.event(event(STREAM, "waiting").status("pending"));
        fixture.event(event(STREAM, "run").execution(1));
        fixture.execution(execution(STREAM, 1, "running"));

        // when
        CommandResult byStatus = fixture.carryOut(request("c-1", deleteEvent(STREAM, "waiting", false)));
        CommandResult byExecution = fixture.carryOut(request("c-2", deleteEvent(STREAM, "run", false)));

        // then
        assertThat(byStatus.refusal()).isEqualTo(Refusal.PROTECTED);
        assertThat(byExecution.refusal()).isEqualTo(Refusal.PROTECTED);

        // when
        CommandResult forced = fixture.carryOut(request("c-3", deleteEvent(STREAM, "waiting", true)));
        fixture.carryOut(request("c-4", deleteEvent(STREAM, "run", true)));

        // then
        assertThat(counts(forced)).isEqualTo("0 of 1 streams, 0 executions, 1 events, 1 protected, skipped {}");
        assertThat(fixture.ids(STREAM)).isEmpty();
        assertConsistent();
    }

    @Test
    @Tag("M-18")
    void shouldDeleteNoHeldEvent() {
        // given
        fixture.event(event(STREAM, "a"));
        fixture.hold("LIT-1", Scope.stream(STREAM));

        // when
        CommandResult result = fixture.carryOut(request("c-1", deleteEvent(STREAM, "a", true)));

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.HELD);
        assertThat(result.detail()).contains("LIT-1");
        assertThat(fixture.ids(STREAM)).containsExactly("a");
    }

    @Test
    @Tag("M-17")
    void shouldNotFindWhatReadersDoNotSee() {
        // given
        fixture.event(event(STREAM, "a").ttlSeconds(1));
        fixture.clockProblem("the clock is wrong");
        fixture.advance(5000);

        // when
        CommandResult result = fixture.carryOut(request("c-1", deleteEvent(STREAM, "a", false)));
        CommandResult renewed = fixture.carryOut(request("c-2", setTtl(STREAM, "a", 100_000)));

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.NOT_FOUND);
        assertThat(renewed.refusal()).isEqualTo(Refusal.NOT_FOUND);
    }

    @Test
    void shouldRefuseToDeleteOneEventIfItMayDeleteNone() {
        // given
        fixture.event(event(STREAM, "a"));

        // when
        CommandResult result = fixture.carryOut(atMost(0, "c-1", deleteEvent(STREAM, "a", false)));

        // then
        assertThat(result.refusal()).isEqualTo(Refusal.TOO_MANY);
        assertThat(fixture.ids(STREAM)).containsExactly("a");
    }

    @Test
    @Tag("O-11")
    void shouldCarryOutOnceWhatIsSentTwice() {
        // given
        fixture.event(event(STREAM, "a"));
        Command delete = deleteEvent(STREAM, "a", false);

        // when
        fixture.send(request("c-1", delete));
        fixture.send(request("c-1", delete));
        CommandResult first = fixture.finish("c-1");
        fixture.event(event(STREAM, "a"));
        fixture.send(request("c-1", delete));
        fixture.settle();

        // then
        assertThat(fixture.result("c-1")).isEqualTo(first);
        assertThat(fixture.ids(STREAM)).containsExactly("a");
    }

    private CommandResult carryOut(String commandId, OwnTtl ttl) {
        return fixture.carryOut(request(commandId, setTtl(STREAM, "a", ttl)));
    }

    private Long expiresAt(String id) {
        return fixture.reader()
                .find(new StreamName(STREAM), new EventId(id))
                .orElseThrow()
                .event()
                .ttl()
                .expiresAt();
    }

    private void assertConsistent() {
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
    }
}
