package dev.ebb.topology.policy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.model.Policies;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.topology.TestRecords;
import dev.ebb.topology.TopologyFixture;
import dev.ebb.topology.wire.EbbHeaders;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies that an instance sees on the topic of accepted policies. */
@Tag("M-9")
class PolicyViewsTest {

    private final TestRecords records = new TestRecords();
    private final PolicyViews views = new PolicyViews(Policies.BUILT_IN, records);
    private long offset;

    @Test
    void shouldKnowOnlyWhatIsBuiltInAtFirst() {
        assertThat(views.current().policies().version()).isEqualTo(PolicySet.NO_VERSION);
        assertThat(views.current().policies().policies()).isEmpty();
        assertThat(views.current().reflectedOffset()).isEqualTo(-1);
        assertThat(views.current().unreadable()).isNull();
    }

    /** The version is an offset on the topic of policies; only a record that no gate has written has none but its own. */
    @ParameterizedTest
    @CsvSource({EbbHeaders.POLICY_VERSION + ", 5, 5", "other, 17, -1"})
    void shouldTakeTheVersionThatTheGateNames(String header, long version, long reflected) {
        // given
        offset = 17;

        // when
        accept(policy(Scope.ALL), header(header, 5));

        // then
        assertThat(views.current().policies().version()).isEqualTo(version);
        assertThat(views.current().policies().policies().get(Scope.ALL).version())
                .isEqualTo(version);
        assertThat(views.versionOf(PolicyKey.of(Scope.ALL))).isEqualTo(version);
        assertThat(views.current().reflectedOffset()).isEqualTo(reflected);
        assertThat(views.current().readOffset()).isEqualTo(17);
    }

    /** Also of a record that lists the changes of its key so far. */
    @Test
    @Tag("O-26")
    void shouldTellSinceWhenAPolicyIsInForce() {
        // given
        RetentionPolicy policy = policy(Scope.ALL);
        Headers later = header(EbbHeaders.POLICY_VERSION, 6);
        FormerValue.write(List.of(new FormerValue(6, 2000, records.bytes(policy))), later);

        // when
        views.accept(new Accepted("*", records.bytes(policy), null, 0, 1000, header(EbbHeaders.POLICY_VERSION, 5)));

        // then
        assertThat(views.current().policies().policies().get(Scope.ALL).sinceMs())
                .isEqualTo(1000);

        // when
        views.accept(new Accepted("*", records.bytes(policy), null, 1, 2000, later));

        // then
        assertThat(views.current().policies().policies().get(Scope.ALL).sinceMs())
                .isEqualTo(2000);
    }

    /** A source changes no policy, and yet has a version and counts towards its file. */
    @Test
    @Tag("F-1")
    void shouldKnowTheVersionOfASource() {
        // given
        PolicyKey key = PolicyKey.ofSource("orders");
        byte[] source = "{\"name\":\"orders\",\"topic\":\"t\",\"as\":\"log\",\"stream\":\"s\"}".getBytes(UTF_8);
        Headers headers = TopologyFixture.ofFile("f", 2);
        EbbHeaders.set(headers, EbbHeaders.POLICY_VERSION, 8);

        // when
        accept(policy(Scope.ALL), TopologyFixture.ofFile("f", 2));
        views.accept(new Accepted(key.toString(), source, null, offset++, 5, headers));

        // then
        assertThat(views.current().policies().policies()).containsOnlyKeys(Scope.ALL);
        assertThat(views.current().unreadable()).isNull();
        assertThat(views.versionOf(key)).isEqualTo(8);
    }

    /** The brake may let a change through behind a newer one of another scope. */
    @Test
    @Tag("O-8")
    void shouldNeverTakeTheVersionBack() {
        // when
        accept(policy(Scope.ALL), header(EbbHeaders.POLICY_VERSION, 20));
        accept(policy(Scope.stream("s")), header(EbbHeaders.POLICY_VERSION, 10));

        // then
        PolicySet policies = views.current().policies();
        assertThat(policies.version()).isEqualTo(20);
        assertThat(policies.policies().get(Scope.stream("s")).version()).isEqualTo(10);
        assertThat(views.current().reflectedOffset()).isEqualTo(20);
        assertThat(views.versionOf(PolicyKey.of(Scope.stream("t")))).isEqualTo(PolicySet.NO_VERSION);
    }

    /** A gate that has just moved may not have seen the times of other partitions. */
    @Test
    void shouldKeepTheConfirmedTimesOfOtherPartitions() {
        // when
        accept("clock", new ConfirmedClock(Map.of(0, 5L, 1, 6L)).encode());
        accept("clock", new ConfirmedClock(Map.of(1, 7L)).encode());

        // then
        assertThat(views.confirmedClock()).isEqualTo(new ConfirmedClock(Map.of(0, 5L, 1, 7L)));
    }

    @Test
    void shouldKeepTheSameSetAsLongAsNothingChanges() {
        // given
        accept(policy(Scope.ALL), new RecordHeaders());
        PolicySet before = views.current().policies();

        // when
        mark(9, null);

        // then
        assertThat(views.current().policies()).isSameAs(before);
        assertThat(views.current().reflectedOffset()).isEqualTo(9);
    }

    /** The scope of the hold is not known any more, so nothing may be deleted. */
    @Test
    @Tag("M-18")
    void shouldSayThatAHoldInForceCannotBeReadUntilItIsPlacedOrLiftedAgain() {
        // given
        var hold = new Hold("case", Scope.stream("n/7"), "", "", 0);
        byte[] bad = records.bytes(new DecodedPolicy.Bad(new Rejection(RejectReason.BAD_POLICY, "damaged")));

        // when
        accept(hold.key().toString(), bad);

        // then
        assertThat(views.current().unreadable())
                .isEqualTo("hold:case is in force and its record cannot be read; place or release it again");

        // when
        accept(hold.key().toString(), records.hold(hold));

        // then
        assertThat(views.current().unreadable()).isNull();

        // when
        accept(hold.key().toString(), bad);
        accept(hold.key().toString(), null);
        accept("stream:n/7", bad);

        // then
        assertThat(views.current().unreadable()).isNull();
    }

    @Test
    @Tag("O-20")
    void shouldWaitForNothingThatIsNoPolicy() {
        // given
        records.registryDown(true);

        // when
        accept("garbage", new byte[4]);
        accept("planet:mars", new byte[4]);

        // then
        assertThat(views.current().unreadable()).isNull();
        assertThat(views.current().readOffset()).isEqualTo(1);

        // when
        accept("namespace:n", new byte[4]);

        // then
        assertThat(views.current().unreadable()).isEqualTo("an accepted policy cannot be read yet");
    }

    private void accept(String key, byte[] value) {
        views.accept(new Accepted(key, value, null, offset++, 5, new RecordHeaders()));
    }

    /** A gate that crashed in the middle of a file, without exactly once, writes it again behind another one. */
    @Test
    @Tag("O-13")
    void shouldKeepAPartOfAFileWhileAnotherOneComes() {
        // given
        accept(policy(Scope.stream("a")), TopologyFixture.ofFile("f", 2));

        // when
        accept(policy(Scope.stream("b")), TopologyFixture.ofFile("g", 2));
        accept(policy(Scope.stream("c")), TopologyFixture.ofFile("g", 2));
        assertThat(views.current().policies().policies()).containsOnlyKeys(Scope.stream("b"), Scope.stream("c"));
        accept(policy(Scope.stream("d")), TopologyFixture.ofFile("f", 2));

        // then
        assertThat(views.current().policies().policies())
                .containsOnlyKeys(Scope.stream("a"), Scope.stream("b"), Scope.stream("c"), Scope.stream("d"));
    }

    @Test
    @Tag("O-13")
    void shouldSwitchWholeWhenAllOfAFileIsIn() {
        // given
        Headers file = TopologyFixture.ofFile("f", 2);
        accept(policy(Scope.ALL), file);
        PolicySet half = views.current().policies();

        // when
        accept(policy(Scope.stream("s")), file);

        // then
        assertThat(half.policies()).isEmpty();
        assertThat(views.current().policies().policies()).containsOnlyKeys(Scope.ALL, Scope.stream("s"));
    }

    @Test
    @Tag("O-13")
    void shouldTakeWhatIsLeftOfAFileOnceTheEndOfTheTopicIsReached() {
        // given a file of which compaction has taken a part
        accept(policy(Scope.ALL), TopologyFixture.ofFile("f", 3));
        accept(policy(Scope.stream("s")), TopologyFixture.ofFile("f", 3));
        assertThat(views.current().policies().policies()).isEmpty();

        // when
        views.restored(offset);

        // then
        assertThat(views.current().policies().policies()).hasSize(2);
    }

    @Test
    @Tag("O-13")
    void shouldTakeWhatIsLeftOfAnOldFileWhateverCameAfterIt() {
        // given a file whose other part compaction has taken, and a newer record of another scope
        accept(policy(Scope.stream("s")), TopologyFixture.ofFile("f", 2));
        accept(policy(Scope.ALL), new RecordHeaders());

        // when
        views.restored(offset);

        // then
        assertThat(views.current().policies().policies()).containsOnlyKeys(Scope.ALL, Scope.stream("s"));
    }

    /** As many as were once read in 90 seconds of CPU, since each made a copy of all. */
    @Test
    @Tag("I-6")
    void shouldTakeInARecordAtACostThatDoesNotGrowWithThem() {
        // given
        int policies = 20_000;
        for (int i = 0; i < policies; i++) {
            accept(policy(Scope.stream("n/" + i)), new RecordHeaders());
        }
        var hold = new Hold("case", Scope.stream("n/7"), "", "", 0);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();

        // when
        long before = threads.getThreadAllocatedBytes(id);
        accept(policy(Scope.stream("n/7")), new RecordHeaders());
        views.accept(new Accepted(hold.key().toString(), records.hold(hold), null, offset++, 5, new RecordHeaders()));
        long bytes = threads.getThreadAllocatedBytes(id) - before;

        // then
        assertThat(bytes).isLessThan(200_000);
        assertThat(views.current().policies().policies()).hasSize(policies);
        assertThat(views.current().holdOffset()).isEqualTo(policies + 1L);
        views.accept(new Accepted(hold.key().toString(), null, null, offset++, 5, new RecordHeaders()));
        assertThat(views.current().holdOffset()).isEqualTo(PolicySet.NO_VERSION);
    }

    @Test
    @Tag("O-13")
    void shouldNotPutWhatIsLeftOfAnOldFileBeforeWhatCameAfterIt() {
        // given a file whose other part compaction has taken, and newer records of which it has not taken the older
        // ones yet
        accept(policy(Scope.stream("s")), TopologyFixture.ofFile("f", 3));
        accept(policy(Scope.stream("t")), TopologyFixture.ofFile("f", 3));
        RetentionPolicy newer =
                RetentionPolicy.of(Scope.stream("s")).maxAge(Limit.of(2)).build();
        accept(newer, new RecordHeaders());
        views.accept(new Accepted("stream:t", null, null, offset++, 5, new RecordHeaders()));

        // when
        views.restored(offset);

        // then
        assertThat(views.current().policies().policies()).containsOnlyKeys(Scope.stream("s"));
        assertThat(views.current().policies().policies().get(Scope.stream("s")).policy())
                .isEqualTo(newer);
        assertThat(views.versionOf(PolicyKey.of(Scope.stream("s")))).isEqualTo(2);
        assertThat(views.versionOf(PolicyKey.of(Scope.stream("t")))).isEqualTo(3);
    }

    @Test
    @Tag("O-13")
    @Tag("I-7")
    void shouldCountARecordOfAFileOnceThatCameTwice() {
        // given a gate that crashed in the middle of a file, without exactly once
        Headers file = TopologyFixture.ofFile("f", 3);
        accept(policy(Scope.stream("a")), file);
        accept(policy(Scope.stream("b")), file);

        // when it writes the whole file again
        accept(policy(Scope.stream("a")), file);
        assertThat(views.current().policies().policies()).isEmpty();
        accept(policy(Scope.stream("b")), file);
        accept(policy(Scope.stream("c")), file);

        // then
        assertThat(views.current().policies().policies()).hasSize(3);
    }

    @Test
    void shouldWakeWhoWaitsForAView() throws Exception {
        // given
        var waiting = CompletableFuture.supplyAsync(() -> await(view -> view.reflectedOffset() >= 9));

        // when
        mark(8, null);
        mark(9, null);

        // then
        assertThat(waiting.get(20, TimeUnit.SECONDS).reflectedOffset()).isEqualTo(9);
        assertThat(views.await(view -> false, Duration.ofMillis(1)).reflectedOffset())
                .isEqualTo(9);
    }

    private PolicyView await(Predicate<PolicyView> isIt) {
        try {
            return views.await(isIt, Duration.ofMinutes(1));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Tag("O-20")
    void shouldWaitForASchemaInOrderAndSaySo() {
        // given
        records.registryDown(true);
        accept(policy(Scope.ALL).toBuilder().maxCount(Limit.of(1)).build(), new RecordHeaders());
        accept(policy(Scope.ALL).toBuilder().maxCount(Limit.of(2)).build(), new RecordHeaders());

        // then
        assertThat(views.current().policies().policies()).isEmpty();
        assertThat(views.current().unreadable()).isEqualTo("an accepted policy cannot be read yet");

        // when the registry is back, without another record
        records.registryDown(false);

        // then
        assertThat(views.current().unreadable()).isNull();
        assertThat(views.current().policies().policies().get(Scope.ALL).policy().get(PolicyField.MAX_COUNT))
                .isEqualTo(Limit.of(2));
    }

    /** A policy whose schema never comes is set anew; the new one, and the rest of its file, must not wait behind it. */
    @Test
    @Tag("O-20")
    void shouldNotWaitForWhatHasBeenSetAnew() {
        // given
        records.awaited(Wait.of("schema 7"));
        Hold hold = new Hold("case", Scope.stream("n/7"), "", "", 0);
        accept("gate", records.bytes("schema 7", new DecodedPolicy.Mark(3, null, List.of())));
        accept(hold.key().toString(), records.bytes("schema 7", hold));
        byte[] former = records.bytes("schema 7", policy(Scope.ALL));
        views.accept(new Accepted("*", former, null, offset++, 5, TopologyFixture.ofFile("f", 2)));
        accept(policy(Scope.stream("s")), TopologyFixture.ofFile("f", 2));

        // when
        mark(4, null);
        accept(hold.key().toString(), records.hold(hold));

        // then the policy still waits
        assertThat(views.current().unreadable()).isEqualTo("an accepted policy cannot be read yet");
        assertThat(views.current().policies().policies()).isEmpty();
        assertThat(views.current().reflectedOffset()).isEqualTo(-1);

        // when
        accept(policy(Scope.ALL), new RecordHeaders());

        // then
        assertThat(views.current().unreadable()).isNull();
        assertThat(views.current().reflectedOffset()).isEqualTo(4);
        assertThat(views.current().policies().policies()).containsOnlyKeys(Scope.ALL, Scope.stream("s"));
        assertThat(views.current().policies().holds()).containsOnlyKeys("case");
        assertThat(views.current().readOffset()).isEqualTo(offset - 1);
    }

    @Test
    @Tag("O-20")
    void shouldPassOnWhatTheGateWaitsFor() {
        // when
        mark(4, "a policy waits for schema 7");

        // then
        assertThat(views.current().unreadable()).isEqualTo("a policy waits for schema 7");
        mark(5, null);
        assertThat(views.current().unreadable()).isNull();
    }

    @Test
    @Tag("A-16")
    void shouldSayHowFarItHasReadThoughCompactionHasTakenTheRecordsThere() {
        // given
        assertThat(views.current().readOffset()).isEqualTo(-1);
        accept(policy(Scope.ALL), new RecordHeaders());
        assertThat(views.current().readOffset()).isEqualTo(0);

        // when
        mark(4, null);

        // then
        assertThat(views.current().readOffset()).isEqualTo(1);
        assertThat(views.current().policies().version()).isEqualTo(0);

        // when
        views.restored(9);

        // then
        assertThat(views.current().readOffset()).isEqualTo(8);
        views.restored(3);
        assertThat(views.current().readOffset()).isEqualTo(8);
    }

    @Test
    @Tag("A-16")
    void shouldHaveReadNothingBehindWhatWaitsForItsSchema() {
        // given
        accept(policy(Scope.ALL), new RecordHeaders());
        records.registryDown(true);
        accept(policy(Scope.stream("s")).toBuilder().maxCount(Limit.of(1)).build(), new RecordHeaders());

        // when
        views.restored(9);

        // then
        assertThat(views.current().readOffset()).isEqualTo(0);
        records.registryDown(false);
        assertThat(views.current().readOffset()).isEqualTo(8);
    }

    private static Headers header(String name, long value) {
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, name, value);
        return headers;
    }

    private void accept(RetentionPolicy policy, Headers headers) {
        String key = policy.scope().toString();
        views.accept(new Accepted(key, records.bytes(policy), null, offset++, 5, headers));
    }

    private void mark(long reflectedOffset, String unreadable) {
        byte[] value = records.mark(reflectedOffset, unreadable, List.of());
        views.accept(new Accepted(DecodedPolicy.MARK_KEY, value, null, offset++, 5, new RecordHeaders()));
    }

    private static RetentionPolicy policy(Scope scope) {
        return RetentionPolicy.of(scope).maxAge(Limit.of(1)).build();
    }
}
