package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.TopologyFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The mirror in blocks: whole with each commit, and one record for many deletes. */
@Tag("A-14")
class RowBlocksTest {

    private final TopologyFixture fixture =
            TopologyFixture.inBlocks(TopologyFixture.settings(OptionalLong.of(1), 10_000));

    @Test
    void shouldSendARowWithTheCommitOfItsEvent() {
        try (fixture) {
            // when
            fixture.event(event("a/1", "e").payloadBytes(10));

            // then
            assertThat(fixture.blockSizes).containsExactly(1);
            assertThat(fixture.mirror).hasSize(1);
            assertThat(fixture.mirrorLog.get(0).timestamp()).isEqualTo(T0);
        }
    }

    @Test
    @Tag("O-3")
    void shouldSendTheDeletesOfASweepInOneRecordEachWithItsReason() {
        try (fixture) {
            // given
            fixture.policy(RetentionPolicy.of(Scope.namespace("a"))
                    .maxAge(Limit.of(5000))
                    .build());
            for (int i = 0; i < 300; i++) {
                fixture.event(event("a/" + i % 3, "e" + i));
            }
            fixture.event(event("a/1", "own").ttlSeconds(2));
            fixture.event(event("a/1", "protected").status("pending"));
            fixture.blockSizes.clear();

            // when
            fixture.advance(6000);

            // then
            assertThat(fixture.blockSizes).containsExactly(301);
            assertThat(fixture.mirror).containsOnlyKeys(Bytes.wrap(fixture.rows.eventKey(T0, "a/1", "protected")));
            List<TestRecord<byte[], byte[]>> deletes = fixture.mirrorLog.subList(302, 603);
            assertThat(deletes).allSatisfy(delete -> {
                assertThat(delete.timestamp()).isEqualTo(T0 + 6000);
                assertThat(EbbHeaders.text(delete.headers(), EbbHeaders.SWEEP_ID))
                        .isEqualTo(fixture.reports.get(0).sweepId());
            });
            assertThat(deletes)
                    .extracting(delete -> EbbHeaders.text(delete.headers(), EbbHeaders.CAUSE))
                    .containsOnly(RemovalCause.MAX_AGE.name(), RemovalCause.TTL.name());
        }
    }

    @Test
    void shouldBeginAnotherBlockWhenOneIsFull() {
        try (fixture) {
            // given
            for (int i = 0; i < 1001; i++) {
                fixture.event(event("a/1", "e" + i));
            }
            fixture.blockSizes.clear();

            // when
            fixture.policy(
                    RetentionPolicy.of(Scope.namespace("a")).maxAge(Limit.of(1)).build());
            fixture.advance(2000);

            // then
            assertThat(fixture.blockSizes).containsExactly(1000, 1);
            assertThat(fixture.mirror).isEmpty();
        }
    }

    @Test
    void shouldSendABigRowWhole() {
        try (fixture) {
            // when
            fixture.event(event("a/1", "big").payloadBytes(1_000_000));
            fixture.event(event("a/1", "big").payloadBytes(900_000));

            // then
            assertThat(fixture.blockSizes).containsExactly(1, 1);
            assertThat(fixture.mirror).hasSize(1);
        }
    }
}
