package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.TopologyFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.time.Durations;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A mailbox whose messages go a day after they were read, by the names of the scenarios. */
class MailboxScenarioTest {

    private static final String MAILBOX = "mail/anna";
    private static final long DAY = Durations.parseMs("24h");
    private static final long MINUTE = Durations.parseMs("1m");

    private final TopologyFixture fixture =
            TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.empty(), 10_000));

    @BeforeEach
    void putPolicy() {
        fixture.policy(RetentionPolicy.of(Scope.namespace("mail"))
                .maxAge(Limit.of(DAY))
                .anchor(Anchor.COMPLETED)
                .intervalMs(MINUTE)
                .build());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("RemovesReadAfterADay")
    void removesReadAfterADay() {
        // given
        fixture.event(event(MAILBOX, "a").status("read"));

        // when
        fixture.advance(DAY + MINUTE);
        fixture.settle();

        // then
        assertThat(fixture.ids(MAILBOX)).isEmpty();
        assertThat(fixture.mirror).isEmpty();
    }

    @Test
    @DisplayName("NeverRemovesUnread")
    @Tag("M-4")
    void neverRemovesUnread() {
        // given
        fixture.event(event(MAILBOX, "a").status("unread"));

        // when
        fixture.advance(400 * DAY);
        fixture.settle();

        // then
        assertThat(fixture.ids(MAILBOX)).containsExactly("a");
    }

    @Test
    @DisplayName("KeepsReadYoungerThanADay")
    void keepsReadYoungerThanADay() {
        // given a message that lay unread for long
        fixture.event(event(MAILBOX, "a").status("unread"));
        fixture.advance(10 * DAY);
        fixture.status(MAILBOX, "a", "read");

        // when
        fixture.advance(DAY - MINUTE);
        fixture.settle();

        // then
        assertThat(fixture.ids(MAILBOX)).containsExactly("a");
    }

    @Test
    @DisplayName("RunsAgainEveryMinute")
    @Tag("O-1")
    void runsAgainEveryMinute() {
        // given
        fixture.event(event(MAILBOX, "a").status("unread"));
        fixture.settle();
        long first = fixture.status().lastSweepPointMs();

        // when, then
        fixture.advance(MINUTE - 2000);
        assertThat(fixture.status().lastSweepPointMs()).isEqualTo(first);
        fixture.advance(3000);
        long second = fixture.status().lastSweepPointMs();
        assertThat(second - first).isBetween(MINUTE - 1000, MINUTE + 1000);
        fixture.advance(MINUTE + 1000);
        assertThat(fixture.status().lastSweepPointMs()).isGreaterThan(second);
    }

    @Test
    @DisplayName("RunsAgainAfterAFailedSweep")
    @Tag("O-1")
    void runsAgainAfterAFailedSweep() {
        // given
        fixture.event(event(MAILBOX, "a").status("read"));
        fixture.settle();
        fixture.observer.isFailing = true;

        // when
        assertThatThrownBy(() -> fixture.advance(DAY + 2 * MINUTE)).isInstanceOf(Exception.class);
        assertThat(fixture.observer.failures).hasSize(1);
        fixture.observer.isFailing = false;
        fixture.restart();
        fixture.advance(2 * MINUTE);
        fixture.settle();

        // then
        assertThat(fixture.ids(MAILBOX)).isEmpty();
    }

    @Test
    @DisplayName("MarkedUnreadAgainIsSafe")
    @Tag("M-4")
    void markedUnreadAgainIsSafe() {
        // given
        fixture.event(event(MAILBOX, "a").status("read"));
        fixture.advance(DAY - MINUTE);

        // when
        fixture.status(MAILBOX, "a", "unread");
        fixture.advance(10 * DAY);
        fixture.settle();

        // then
        assertThat(fixture.ids(MAILBOX)).containsExactly("a");

        // when it is read again, the new time counts
        fixture.status(MAILBOX, "a", "read");
        fixture.advance(DAY - MINUTE);
        assertThat(fixture.ids(MAILBOX)).containsExactly("a");
        fixture.advance(3 * MINUTE);
        assertThat(fixture.ids(MAILBOX)).isEmpty();
    }

    @Test
    @DisplayName("ExactAtTwentyFourHours")
    @Tag("M-13")
    @Tag("M-17")
    void exactAtTwentyFourHours() {
        // given
        fixture.event(event(MAILBOX, "a").status("read").completedAt(T0));

        // when, then
        fixture.advance(DAY);
        assertThat(fixture.visibleIds(MAILBOX)).containsExactly("a");
        assertThat(fixture.ids(MAILBOX)).containsExactly("a");
        fixture.advance(1);
        assertThat(fixture.visibleIds(MAILBOX)).isEmpty();
        fixture.advance(MINUTE + 1000);
        assertThat(fixture.ids(MAILBOX)).isEmpty();
        assertThat(fixture.audits).hasSize(1);
    }
}
