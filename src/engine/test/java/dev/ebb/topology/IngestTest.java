package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.TopologyFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.topology.parts.TopologySettings;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events and updates on their way into the store and the mirror. */
class IngestTest {

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldMirrorEachChange() {
        // when
        fixture.event(event("s", "a").type("one"));
        fixture.event(event("s", "a").type("two"));
        fixture.status("s", "a", "pending");

        // then
        assertThat(fixture.mirrorLog).hasSize(3);
        assertThat(fixture.mirror).hasSize(1);
        assertThat(fixture.mirror.get(Bytes.wrap(fixture.rows.eventKey(T0, "s", "a"))))
                .isEqualTo(fixture.rows.eventRow(fixture.stored().get(0)));
    }

    @Test
    @Tag("M-1")
    @Tag("I-5")
    void shouldExplainAnEventThatWasDueWhenAnotherTookItsPlace() {
        // given
        fixture.catchUp.isCaughtUp = false;
        fixture.event(event("s", "a").ttlSeconds(1).payloadBytes(10));
        fixture.advance(1001);

        // when
        fixture.event(event("s", "a").payloadBytes(20));

        // then
        AuditRecord audit = fixture.audits.get(0);
        assertThat(fixture.audits).hasSize(1);
        assertThat(audit.sweepId()).isNull();
        assertThat(audit.cause()).isEqualTo("TTL");
        assertThat(audit.eventIds()).containsExactly("a");
        assertThat(audit.bytes())
                .isEqualTo(event("s", "a").payloadBytes(10).build().sizeBytes());
        assertThat(audit.atMs()).isEqualTo(T0 + 1001);
        assertThat(fixture.mirrorLog).extracting(TestRecord::value).element(1).isNull();
        assertThat(fixture.mirror).containsOnlyKeys(Bytes.wrap(fixture.rows.eventKey(T0 + 1001, "s", "a")));
    }

    @Test
    @Tag("M-1")
    void shouldKeepTheRowOfAnEventThatIsReplacedInTheMillisecondOfItsStorage() {
        // given an event that arrives already due
        fixture.event(event("s", "a").expiresAt(T0 - 1));

        // when
        fixture.event(event("s", "a").type("new"));

        // then
        assertThat(fixture.mirror).containsOnlyKeys(Bytes.wrap(fixture.rows.eventKey(T0, "s", "a")));
        assertThat(fixture.audits).extracting(AuditRecord::cause).containsExactly("TTL");
    }

    @Test
    @Tag("M-2")
    void shouldCountAnUpdateThatFindsNoEvent() {
        // given
        fixture.catchUp.isCaughtUp = false;
        fixture.event(event("s", "a").ttlSeconds(1));
        fixture.advance(1001);
        int rows = fixture.mirrorLog.size();

        // when
        fixture.status("s", "a", "pending");
        fixture.status("s", "never", "pending");
        fixture.status("nowhere", "a", "pending");

        // then
        assertThat(fixture.observer.orphaned).isEqualTo(3);
        assertThat(fixture.mirrorLog).hasSize(rows);
        assertThat(fixture.reader().usage(new StreamName("nowhere"))).isEmpty();
    }

    @Test
    @Tag("M-10")
    void shouldCountWishesForEverThatAreNotHonoured() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.namespace("may"))
                .set(PolicyField.ALLOW_INFINITE_TTL, true)
                .build());

        // when
        fixture.event(event("s", "a").noExpiration());
        fixture.event(event("may/s", "a").noExpiration());
        fixture.event(event("s", "b").ttlSeconds(5));
        fixture.update(new EventUpdate(new StreamName("s"), new EventId("b"), null, null, OwnTtl.INFINITE, null), T0);

        // then
        assertThat(fixture.observer.ttlRefused).isEqualTo(2);
        assertThat(fixture.stored(new StreamName("s")))
                .extracting(stored -> stored.ttl())
                .containsExactly(OwnTtl.INFINITE, OwnTtl.INFINITE);
    }

    @Test
    @Tag("M-3")
    void shouldTellTheMirrorOfEventsThatAnotherSetOfStatusesSortsAnew() {
        // given
        fixture.event(event("s", "a").status("archived"));

        // when
        fixture.restartUnder(withStatuses(new TerminalStatuses(List.of("archived"))));
        fixture.settle();

        // then
        assertThat(fixture.stored().get(0).isProtected()).isFalse();
        assertThat(fixture.mirror.get(Bytes.wrap(fixture.rows.eventKey(T0, "s", "a"))))
                .isEqualTo(fixture.rows.eventRow(fixture.stored().get(0)));
    }

    /** The rows of executions follow as well, with their parents (I-4). */
    @Test
    @Tag("M-3")
    void shouldTellTheMirrorOfExecutionsThatAnotherSetOfStatusesSortsAnew() {
        // given
        fixture.execution(
                new ExecutionUpdate(new StreamName("jobs/1"), 1, "archived", new StreamName("jobs"), null, null));

        // when
        fixture.restartUnder(withStatuses(new TerminalStatuses(List.of("archived"))));
        fixture.settle();

        // then
        Execution done = new Execution(1, "archived", true, null, fixture.nowMs());
        assertThat(fixture.executionRows.values())
                .containsExactly(fixture.rows.executionRow(new StreamName("jobs/1"), done, new StreamName("jobs")));
    }

    private TopologySettings withStatuses(TerminalStatuses statuses) {
        return new SettingsLike(fixture.settings()).terminalStatuses(statuses).make();
    }

    @Test
    @Tag("M-9")
    void shouldApplyANewPolicyToWhatIsStoredAtTheNextSweep() {
        // given
        fixture.event(event("s", "a"));
        fixture.advance(60_000);
        assertThat(fixture.ids("s")).containsExactly("a");

        // when
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(30_000)).build());

        // then
        assertThat(fixture.visibleIds("s")).isEmpty();
        fixture.advance(1000);
        assertThat(fixture.ids("s")).isEmpty();
        assertThat(fixture.audits.get(0).policyVersion())
                .isEqualTo(fixture.policies().version());
    }

    @Test
    @Tag("M-17")
    void shouldHideAnEventFromTheMillisecondItIsDueWithoutASweep() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(5000)).build());
        fixture.catchUp.isCaughtUp = false;
        fixture.event(event("s", "age"));
        fixture.event(event("s", "ttl").ttlSeconds(5));
        fixture.event(event("s", "long").ttlSeconds(9));
        fixture.event(event("s", "pending").status("pending"));

        // then
        fixture.advance(4999);
        assertThat(fixture.visibleIds("s")).containsExactly("age", "ttl", "long", "pending");
        fixture.advance(1);
        assertThat(fixture.visibleIds("s")).containsExactly("age", "ttl", "long", "pending");
        fixture.advance(1);
        assertThat(fixture.visibleIds("s")).containsExactly("long", "pending");
        assertThat(fixture.ids("s")).hasSize(4);
    }

    @Test
    @Tag("M-17")
    void shouldNotHideWhatACapWillTake() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build());

        // when
        fixture.event(event("s", "a"));
        fixture.event(event("s", "b"));

        // then
        assertThat(fixture.visibleIds("s")).containsExactly("a", "b");
        fixture.advance(1000);
        assertThat(fixture.visibleIds("s")).containsExactly("b");
    }

    @Test
    @Tag("O-1")
    void shouldReportASweepThatFails() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build());
        fixture.event(event("s", "a"));
        fixture.observer.isFailing = true;

        // when
        Throwable failure = catchThrowable(() -> fixture.advance(1000));

        // then
        assertThat(failure).hasRootCauseMessage("the test says so");
        assertThat(fixture.observer.failures).hasSize(1);
    }
}
