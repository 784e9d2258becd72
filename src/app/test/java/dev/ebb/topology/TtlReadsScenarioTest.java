package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.DueSums;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.runtime.ReadingSide;
import dev.ebb.store.layout.NamespaceTotals;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Forecasts and lists that tell people of lifetimes before they end. */
class TtlReadsScenarioTest {

    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final Duration DAY = Duration.ofDays(1);

    private final TopologyFixture fixture =
            TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1000), 10_000));
    private final ReadingSide reading = new ReadingSide(fixture::reader, fixture::policies, fixture::nowMs);

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("ExpiringWithinLists")
    @Tag("M-13")
    @Tag("M-17")
    void expiringWithinLists() {
        fixture.policy(RetentionPolicy.of(Scope.namespace("a"))
                .maxAge(Limit.of(48 * HOUR_MS))
                .set(PolicyField.ALLOW_INFINITE_TTL, true)
                .build());
        fixture.event(event("a/1", "aged"));
        fixture.event(event("a/1", "pending").status("pending").ttlSeconds(60));
        fixture.event(event("a/1", "infinite").ttl(OwnTtl.INFINITE));
        fixture.event(event("a/1", "timed").ttlSeconds(47 * 3600));
        fixture.event(event("a/1", "later").ttlSeconds(96 * 3600));
        fixture.event(event("a/2", "other"));

        // One millisecond before, at, and after the last moment at which the list leaves the aged event out.
        fixture.advance(24 * HOUR_MS - 1);
        assertThat(expiring(false)).containsExactly("timed");
        fixture.advance(1);
        assertThat(expiring(false)).containsExactly("timed", "aged");
        fixture.advance(1);
        assertThat(expiring(false)).containsExactly("timed", "aged");

        // A protected event does not expire.
        fixture.hold("LIT-1", Scope.namespace("a"));
        assertThat(expiring(true)).isEmpty();
        fixture.release("LIT-1");
        assertThat(expiring(false)).containsExactly("timed", "aged");
        keepLast(2);
        assertThat(expiring(false)).containsExactly("aged");
    }

    @Test
    @DisplayName("ExpiringWithinLists: what is due already is listed where readers see it")
    @Tag("M-13")
    @Tag("M-17")
    void expiringWithinListsWhatIsDueWhereReadersSeeIt() {
        // given
        RetentionPolicy warn = RetentionPolicy.of(Scope.namespace("a"))
                .maxAge(Limit.of(HOUR_MS))
                .mode(PolicyMode.WARN)
                .build();
        fixture.policy(warn);
        fixture.event(event("a/1", "due"));

        // when / then
        fixture.advance(HOUR_MS + 1);
        assertThat(expiring(false)).containsExactly("due");
        fixture.policy(RetentionPolicy.of(Scope.namespace("a"))
                .maxAge(Limit.of(HOUR_MS))
                .intervalMs(DAY.toMillis())
                .build());
        assertThat(fixture.ids("a/1")).containsExactly("due");
        assertThat(expiring(false)).isEmpty();
        assertThat(expiring(true)).containsExactly("due");
    }

    @Test
    @DisplayName("TtlStatsAreExact")
    @Tag("M-10")
    @Tag("O-19")
    void ttlStatsAreExact() {
        Random random = new Random(20_261_121);
        Map<String, Long> expired = new TreeMap<>();
        fixture.policy(RetentionPolicy.of(Scope.namespace("a"))
                .maxAge(Limit.of(30 * HOUR_MS))
                .set(PolicyField.ALLOW_INFINITE_TTL, true)
                .build());
        fixture.policy(RetentionPolicy.of(Scope.namespace("b"))
                .maxAge(Limit.of(2 * HOUR_MS))
                .build());
        for (int round = 0; round < 6; round++) {
            for (int i = 0; i < 40; i++) {
                fixture.event(event((random.nextBoolean() ? "a/" : "b/") + random.nextInt(4), "e" + random.nextInt(60))
                        .status(random.nextInt(5) == 0 ? "pending" : null)
                        .execution(random.nextInt(6) == 0 ? 1 : 0)
                        .ttl(ttl(random))
                        .payloadBytes(random.nextInt(50)));
            }
            if (round == 3) {
                for (int stream = 0; stream < 4; stream++) {
                    fixture.execution(CommandFixture.execution("a/" + stream, 1, "completed"));
                }
            }
            if (round == 4) {
                fixture.carryOut(CommandFixture.request("c-1", CommandFixture.deleteForced("a/0")));
                assertThat(fixture.audits).extracting(AuditRecord::cause).contains("DELETE");
                fixture.restart();
            }
            fixture.advance(random.nextInt((int) HOUR_MS));
            fixture.settleFor(2);

            checkStats("a");
            checkStats("b");
            expired.merge("a", checkExpired("a"), Long::sum);
            expired.merge("b", checkExpired("b"), Long::sum);
        }
        assertThat(expired.values()).allMatch(events -> events > 0, "some have expired");
    }

    private void checkStats(String namespace) {
        NamespaceTotals totals = fixture.status().namespaces().getOrDefault(namespace, NamespaceTotals.NOTHING);
        DueSums due = reading.outlook().of(namespace);

        assertThat(totals.timedEvents())
                .isEqualTo(count(namespace, event -> event.ttl().isFinite()));
        assertThat(totals.infiniteEvents())
                .isEqualTo(count(
                        namespace,
                        event -> event.ttl().noExpiration()
                                && policyOf(event).allowInfiniteTtl().value()));
        assertThat(totals.events() - totals.protectedEvents()).isEqualTo(count(namespace, event -> true));
        assertThat(due.nextHour()).isEqualTo(dueWithin(namespace, HOUR_MS));
        assertThat(due.nextDay()).isEqualTo(dueWithin(namespace, 24 * HOUR_MS));
    }

    /** Rows that were deleted agree with the audit; a delete by a person does not count. */
    private long checkExpired(String namespace) {
        List<String> causes = List.of(RemovalCause.TTL.name(), RemovalCause.MAX_AGE.name());
        long expired = fixture.mirrorLog.stream()
                .filter(row -> row.value() == null && fixture.nowMs() - row.timestamp() <= HOUR_MS)
                .filter(row -> new String(row.key(), StandardCharsets.UTF_8).contains("\"" + namespace + "/"))
                .filter(row -> causes.contains(EbbHeaders.text(row.headers(), EbbHeaders.CAUSE)))
                .count();

        assertThat(reading.expired(fixture.audits).of(namespace)).isEqualTo(expired);
        return expired;
    }

    private long count(String namespace, Predicate<StoredEvent> isOne) {
        return fixture.stored().stream()
                .filter(event -> isFree(namespace, event))
                .filter(isOne)
                .count();
    }

    private Tally dueWithin(String namespace, long ms) {
        return fixture.stored().stream()
                .filter(event -> isFree(namespace, event))
                .filter(event -> dueAt(event) <= fixture.nowMs() + ms)
                .map(event -> new Tally(1, event.sizeBytes()))
                .reduce(Tally.ZERO, (one, other) -> one.plus(other.events(), other.bytes()));
    }

    private boolean isFree(String namespace, StoredEvent event) {
        return event.event().stream().namespace().equals(namespace)
                && !fixture.reader()
                        .context(event.event().stream())
                        .orElseThrow()
                        .facts(event)
                        .isProtected();
    }

    private long dueAt(StoredEvent event) {
        var context = fixture.reader().context(event.event().stream()).orElseThrow();
        return RetentionDecider.dueAtMs(context.facts(event), policyOf(event));
    }

    private EffectivePolicy policyOf(StoredEvent event) {
        return fixture.policies().effective(event.event().stream());
    }

    private static OwnTtl ttl(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> OwnTtl.INFINITE;
            case 1 -> OwnTtl.of(1L + random.nextInt(100_000), null, false);
            case 2 -> OwnTtl.of(1L + random.nextInt(4000), null, false);
            default -> OwnTtl.NONE;
        };
    }

    private void keepLast(long events) {
        fixture.policy(RetentionPolicy.of(Scope.stream("a/1"))
                .set(PolicyField.KEEP_LAST, Limit.of(events))
                .build());
    }

    private List<String> expiring(boolean includeExpired) {
        return reading.expiring("a/1", DAY, includeExpired, 1);
    }
}
