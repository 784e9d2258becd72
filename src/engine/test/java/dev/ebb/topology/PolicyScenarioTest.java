package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.SweepWindow;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.time.Durations;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Expectations that people may have of policies, by the names of the scenarios. */
class PolicyScenarioTest {

    private static final StreamName STREAM = new StreamName("orders/1");

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("SetGetListDelete")
    @Tag("O-13")
    void setGetListDelete() {
        // set and get
        fixture.policy(maxCount(Scope.namespace("orders"), 5));
        assertThat(fixture.policies()
                        .policies()
                        .get(Scope.namespace("orders"))
                        .policy()
                        .get(PolicyField.MAX_COUNT))
                .isEqualTo(Limit.of(5));

        // list
        fixture.policy(maxCount(Scope.ALL, 9));
        assertThat(fixture.policies().policies()).containsOnlyKeys(Scope.namespace("orders"), Scope.ALL);

        // delete
        fixture.removePolicy(Scope.namespace("orders"));
        assertThat(fixture.policies().policies()).containsOnlyKeys(Scope.ALL);
        assertThat(count()).isEqualTo(Limit.of(9));
    }

    @Test
    @DisplayName("StreamPolicyBeatsDefault")
    @Tag("M-7")
    void streamPolicyBeatsDefault() {
        // given an audit log of 7 years beside a default of 30 days
        fixture.policy(maxAge(Scope.ALL, "30d"));
        fixture.policy(maxAge(Scope.stream("audit/log"), "2555d"));
        fixture.event(event("audit/log", "a"));
        fixture.event(event("orders/1", "a"));

        // when
        fixture.advance(Durations.parseMs("31d"));
        fixture.settle();

        // then
        assertThat(fixture.ids("orders/1")).isEmpty();
        assertThat(fixture.ids("audit/log")).containsExactly("a");

        // when
        fixture.advance(Durations.parseMs("2524d"));
        fixture.settle();

        // then
        assertThat(fixture.ids("audit/log")).isEmpty();
    }

    @Test
    @DisplayName("DisabledPolicyIsIgnored")
    void disabledPolicyIsIgnored() {
        // given
        fixture.policy(maxCount(Scope.ALL, 9));
        RetentionPolicy disabled = maxCount(Scope.namespace("orders"), 1).toBuilder()
                .enabled(false)
                .build();

        // when
        fixture.policy(disabled);

        // then
        assertThat(count()).isEqualTo(Limit.of(9));
        fixture.policy(disabled.toBuilder().enabled(true).build());
        assertThat(count()).isEqualTo(Limit.of(1));
    }

    @Test
    @DisplayName("BadPolicyLeavesTheLastGoodOneAlsoOnNewInstances")
    @Tag("M-11")
    void badPolicyLeavesTheLastGoodOneAlsoOnNewInstances() {
        // given
        fixture.policy(maxCount(Scope.ALL, 5));

        // when
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.MIN_AGE, Limit.of(2))
                .maxAge(Limit.of(1))
                .build());

        // then
        assertThat(count()).isEqualTo(Limit.of(5));
        assertThat(fixture.rejected).hasSize(1);
        fixture.restart();
        assertThat(count()).isEqualTo(Limit.of(5));
    }

    @Test
    @DisplayName("HalfAFileIsNeverInForce")
    @Tag("O-13")
    void halfAFileIsNeverInForce() {
        // given
        fixture.policy(maxAge(Scope.ALL, "2d"));
        fixture.event(event("audit/log", "a"));
        fixture.advance(Durations.parseMs("1d") + 1);

        // when half of a file is in, which alone would delete the audit log
        fixture.policyOfFile(maxAge(Scope.ALL, "1d"), "file", 2);
        fixture.settle();
        assertThat(fixture.ids("audit/log")).containsExactly("a");
        fixture.policyOfFile(maxAge(Scope.namespace("audit"), "2555d"), "file", 2);
        fixture.settle();

        // then
        assertThat(fixture.ids("audit/log")).containsExactly("a");
        assertThat(fixture.policies().effective(STREAM).maxAge().value()).isEqualTo(Limit.of(Durations.parseMs("1d")));
    }

    @Test
    @DisplayName("WindowAcrossMidnight")
    @Tag("O-1")
    void windowAcrossMidnight() {
        SweepWindow window = SweepWindow.parse("22:00-06:00 UTC");

        assertThat(window.isOpen(at("2026-05-05T21:59:59.999Z"))).isFalse();
        assertThat(window.isOpen(at("2026-05-05T22:00:00Z"))).isTrue();
        assertThat(window.isOpen(at("2026-05-06T00:00:00Z"))).isTrue();
        assertThat(window.isOpen(at("2026-05-06T05:59:59.999Z"))).isTrue();
        assertThat(window.isOpen(at("2026-05-06T06:00:00Z"))).isFalse();
        assertThat(window.nextOpenMs(at("2026-05-06T06:00:00Z"))).isEqualTo(at("2026-05-06T22:00:00Z"));
        assertThat(window.nextOpenMs(at("2026-05-06T03:00:00Z"))).isEqualTo(at("2026-05-06T03:00:00Z"));
    }

    @Test
    @DisplayName("WindowInOtherZone")
    @Tag("O-1")
    void windowInOtherZone() {
        SweepWindow window = SweepWindow.parse("22:00-06:00 Asia/Kolkata");

        assertThat(window.isOpen(at("2026-05-05T16:29:59.999Z"))).isFalse();
        assertThat(window.isOpen(at("2026-05-05T16:30:00Z"))).isTrue();
        assertThat(window.isOpen(at("2026-05-06T00:29:59.999Z"))).isTrue();
        assertThat(window.isOpen(at("2026-05-06T00:30:00Z"))).isFalse();
        assertThat(window.nextOpenMs(at("2026-05-06T00:30:00Z"))).isEqualTo(at("2026-05-06T16:30:00Z"));
    }

    @Test
    @DisplayName("WindowOnDstNights")
    @Tag("O-1")
    void windowOnDstNights() {
        SweepWindow window = SweepWindow.parse("02:30-04:00 Europe/Berlin");

        // in spring the clock leaps from 2 to 3 and over the start: open at once, for one hour
        assertThat(window.nextOpenMs(at("2026-03-28T23:00:00Z"))).isEqualTo(at("2026-03-29T01:00:00Z"));
        assertClosesAt(window, at("2026-03-29T02:00:00Z"));

        // in autumn it goes from 3 back to 2: open before and after, closed for the second half hour from 2 on
        assertThat(window.nextOpenMs(at("2026-10-24T23:00:00Z"))).isEqualTo(at("2026-10-25T00:30:00Z"));
        assertClosesAt(window, at("2026-10-25T01:00:00Z"));
        assertThat(window.nextOpenMs(at("2026-10-25T01:00:00Z"))).isEqualTo(at("2026-10-25T01:30:00Z"));
        assertClosesAt(window, at("2026-10-25T03:00:00Z"));

        // a window within the hour that is left out does not open in that night
        SweepWindow within = SweepWindow.parse("02:10-02:50 Europe/Berlin");
        assertThat(within.nextOpenMs(at("2026-03-29T00:00:00Z"))).isEqualTo(at("2026-03-30T00:10:00Z"));
    }

    private static void assertClosesAt(SweepWindow window, long closesMs) {
        assertThat(window.isOpen(closesMs - 1)).isTrue();
        assertThat(window.isOpen(closesMs)).isFalse();
    }

    @Test
    @DisplayName("AgeOrCountWhicheverFirst")
    @Tag("M-12")
    void ageOrCountWhicheverFirst() {
        // given
        fixture.policy(maxCount(Scope.ALL, 3).toBuilder()
                .maxAge(Limit.of(Durations.parseMs("30d")))
                .build());

        // when the count comes first
        for (String id : List.of("a", "b", "c", "d", "e")) {
            fixture.event(event("orders/1", id));
        }
        fixture.event(event("orders/2", "a"));
        fixture.settle();

        // then
        assertThat(fixture.ids("orders/1")).containsExactly("c", "d", "e");
        assertThat(fixture.ids("orders/2")).containsExactly("a");

        // when the age comes first
        fixture.advance(Durations.parseMs("30d"));
        fixture.settle();

        // then
        assertThat(fixture.stored()).isEmpty();
        assertThat(fixture.audits)
                .extracting(AuditRecord::cause)
                .containsExactlyInAnyOrder("MAX_COUNT", "MAX_AGE", "MAX_AGE");
    }

    @Test
    @DisplayName("ResumesWhereTheWindowCutIt")
    @Tag("O-1")
    void resumesWhereTheWindowCutIt() {
        // given a window of one minute, batches of one delete, and too much for it
        try (TopologyFixture slow = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1), 1))) {
            slow.policy(maxAge(Scope.ALL, "1m").toBuilder()
                    .set(PolicyField.WINDOW, SweepWindow.parse("02:00-02:01 UTC"))
                    .build());
            for (int i = 0; i < 60; i++) {
                slow.event(event("orders/1", "e" + i));
            }
            slow.advance(Durations.parseMs("1h"));
            slow.advance(1000);
            assertThat(slow.ids("orders/1")).hasSize(60);
            assertThat(slow.status().nextSweepMs()).isEqualTo(at("2026-03-01T02:00:00Z"));

            // when the window opens, and closes before it is done
            slow.advance(at("2026-03-01T01:59:50Z") - slow.nowMs());
            advanceInSeconds(slow, 20);
            int left = slow.ids("orders/1").size();
            slow.advance(at("2026-03-01T02:01:00Z") - slow.nowMs());
            int leftAtClose = slow.ids("orders/1").size();
            advanceInSeconds(slow, 600);

            // then
            assertThat(left).isBetween(1, 59);
            assertThat(slow.ids("orders/1")).hasSize(leftAtClose);

            // when it opens again
            slow.advance(at("2026-03-02T02:00:00Z") - slow.nowMs());
            advanceInSeconds(slow, 59);
            slow.advance(Durations.parseMs("1d"));
            advanceInSeconds(slow, 59);

            // then
            assertThat(slow.ids("orders/1")).isEmpty();
            assertThat(slow.audits.stream()
                            .flatMap(audit -> audit.eventIds().stream())
                            .toList())
                    .hasSize(60)
                    .doesNotHaveDuplicates();
        }
    }

    private static void advanceInSeconds(TopologyFixture slow, int seconds) {
        for (int i = 0; i < seconds; i++) {
            slow.advance(1000);
        }
    }

    @Test
    @DisplayName("StatusViewShowsCountOldestNewest")
    @Tag("I-3")
    void statusViewShowsCountOldestNewest() {
        // given
        long first = fixture.nowMs();
        fixture.event(event("orders/1", "a"));
        fixture.advance(5000);
        fixture.event(event("orders/1", "b"));
        fixture.advance(5000);
        fixture.event(event("orders/1", "c").status("pending"));

        // when
        StreamUsage usage = fixture.reader().usage(STREAM).orElseThrow();

        // then
        assertThat(usage.events()).isEqualTo(3);
        assertThat(usage.protectedEvents()).isEqualTo(1);
        assertThat(usage.oldest()).isEqualTo(first);
        assertThat(usage.newest()).isEqualTo(first + 5000);

        // when the oldest goes
        fixture.policy(maxCount(Scope.ALL, 2));
        fixture.settle();

        // then
        assertThat(fixture.reader().usage(STREAM).orElseThrow().oldest()).isEqualTo(first + 5000);
    }

    private Limit count() {
        return fixture.policies().effective(STREAM).get(PolicyField.MAX_COUNT).value();
    }

    private static RetentionPolicy maxCount(Scope scope, long count) {
        return RetentionPolicy.of(scope).maxCount(Limit.of(count)).build();
    }

    private static RetentionPolicy maxAge(Scope scope, String age) {
        return RetentionPolicy.of(scope)
                .maxAge(Limit.of(Durations.parseMs(age)))
                .build();
    }

    private static long at(String time) {
        return Instant.parse(time).toEpochMilli();
    }
}
