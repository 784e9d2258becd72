package dev.ebb.store.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.store.layout.Arrangement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("A-17")
class StreamCacheTest {

    private static final PolicySet POLICIES = PolicySet.empty(new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE));

    private final List<String> left = new ArrayList<>();
    private long mostBytes = 3 * bytes();
    private final StreamCache cache = new StreamCache(() -> mostBytes, stream -> left.add(stream.toString()));

    private static long bytes() {
        return StreamCache.STREAM_BYTES + 2;
    }

    private static StreamState stream(int sid) {
        StreamName name = new StreamName(String.valueOf((char) ('a' + sid)));
        return new StreamState(name, sid, POLICIES.effective(name), Arrangement.NOTHING);
    }

    @ParameterizedTest
    @CsvSource({"-1, 2", "0, 3", "1, 3"})
    void shouldHoldAsManyAsTheBytesAllow(long moreBytes, int held) {
        // given
        mostBytes += moreBytes;

        // when
        for (int sid = 1; sid <= 5; sid++) {
            cache.put(stream(sid));
        }

        // then
        assertThat(left).hasSize(5 - held);
        assertThat(cache.ofSid(5)).isNotNull();
        assertThat(cache.ofSid(5 - held)).isNull();
    }

    @Test
    void shouldHoldOneHoweverLittleTheBytesAre() {
        // given
        mostBytes = 0;

        // when
        cache.put(stream(1));
        cache.put(stream(2));

        // then
        assertThat(left).containsExactly("b");
        assertThat(cache.find(new StreamName("c"))).isNotNull();
    }

    @Test
    void shouldLetTheOneLeaveThatWasUsedLongestAgo() {
        // given
        for (int sid = 1; sid <= 3; sid++) {
            cache.put(stream(sid));
        }

        // when
        cache.find(new StreamName("b"));
        cache.put(stream(4));

        // then
        assertThat(left).containsExactly("c");
    }

    @Test
    void shouldPassOverAStreamInWork() {
        // given
        StreamState first = stream(1);
        first.heapPlace().isTaken = true;
        cache.put(first);
        for (int sid = 2; sid <= 4; sid++) {
            cache.put(stream(sid));
        }

        // then
        assertThat(left).containsExactly("c");
    }

    /** Two objects for one stream would overwrite each other's changes. */
    @Test
    void shouldFindAStreamThatIsInUseAsTheSameObject() {
        // given
        StreamState first = stream(1);
        cache.put(first);
        for (int sid = 2; sid <= 4; sid++) {
            cache.put(stream(sid));
        }
        assertThat(first.isCached()).isFalse();

        // then
        assertThat(cache.inUse(first.stream())).isSameAs(first);
        cache.put(first);
        assertThat(cache.ofSid(1)).isSameAs(first);
        assertThat(cache.inUse(first.stream())).isNull();
    }

    @Test
    void shouldWeighExecutions() {
        // given
        StreamState first = stream(1);
        cache.put(first);
        cache.put(stream(2));

        // when
        Executions executions = new Executions();
        first.setExecutions(executions);
        executions.put(new Segment(first, 1));
        executions.put(new Segment(first, 2));
        cache.weigh(first);

        // then
        assertThat(first.cachedBytes()).isEqualTo(bytes() + 2 * StreamCache.EXECUTION_BYTES);
        cache.put(stream(3));
        assertThat(left).containsExactly("b");
    }

    @Test
    void shouldForgetAStreamThatIsGone() {
        // given
        StreamState first = stream(1);
        cache.put(first);

        // when
        cache.remove(first);

        // then
        assertThat(cache.find(first.stream())).isNull();
        assertThat(cache.inUse(first.stream())).isNull();
        assertThat(left).isEmpty();
    }
}
