package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.receipt.Checkpoint;
import dev.ebb.domain.receipt.Finding;
import dev.ebb.domain.receipt.Hash;
import dev.ebb.domain.receipt.LeafMark;
import dev.ebb.domain.receipt.NoteSigner;
import dev.ebb.domain.receipt.SigningKey;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The audit as the topology writes it, with its checkpoints, against one that was tampered with. */
@Tag("T-8")
class ReceiptScenarioTest {

    private static final int ROUNDS = 5;

    private final TopologyFixture fixture = TopologyFixture.inMemory();
    private final AuditReplay audit = fixture.deletes;

    @AfterEach
    void close() {
        fixture.close();
    }

    /** Deletes of several streams in several seconds, over a restart. */
    private void deleteSome() {
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(30_000)).build());
        for (int round = 0; round < ROUNDS; round++) {
            for (String stream : List.of("a", "b", "c")) {
                fixture.event(event(stream, "e" + round));
            }
            fixture.settleFor(40);
            if (round == 2) {
                fixture.restart();
            }
        }
        fixture.settleFor(3);
    }

    @Nested
    final class CheckpointsAreConsistent {

        @Test
        void shouldCloseEachSecondWithDeletes() {
            deleteSome();

            assertThat(audit.again()).isNull();
            assertThat(audit.check().checkpoints()).isEqualTo(ROUNDS);
            assertThat(audit.check().verified().size()).isEqualTo(3 * ROUNDS);
        }

        @Test
        void shouldCloseTheTreeOfPolicyChangesToo() {
            deleteSome();

            assertThat(fixture.changes.again()).isNull();
            assertThat(fixture.changes.check().verified().size()).isEqualTo(1);
        }

        @Test
        void shouldSayThatItIsUnsignedWithoutAKey() {
            deleteSome();

            assertThat(audit.checkpoints).allSatisfy(checkpoint -> assertThat(
                            AuditReplay.note(checkpoint).signatures())
                    .isEmpty());
        }

        @Test
        void shouldNameACheckpointThatWasChanged() {
            deleteSome();
            audit.checkpoints.replaceAll(ReceiptScenarioTest::forged);

            assertThat(audit.again()).isNotNull();
        }
    }

    private static TestRecord<byte[], byte[]> forged(TestRecord<byte[], byte[]> record) {
        Checkpoint honest = Checkpoint.parse(AuditReplay.note(record).text());
        Checkpoint forged = new Checkpoint(honest.origin(), honest.size(), Hash.OF_NOTHING);
        return of(record, NoteSigner.NONE.sign(forged.text()).toString());
    }

    @Nested
    final class AuditTamperedIsNamed {

        @Test
        void shouldNameTheRecordWithAnotherValue() {
            Finding found = tampered((records, at) -> records.set(at, of(records.get(at), "forged")));

            assertThat(found.kind()).isEqualTo(Finding.Kind.CHANGED);
        }
    }

    @Nested
    final class AuditDroppedIsNamed {

        @Test
        void shouldNameTheRecordThatIsMissing() {
            Finding found = tampered((records, at) -> records.remove((int) at));

            assertThat(found.kind()).isEqualTo(Finding.Kind.DROPPED);
        }
    }

    @Nested
    final class AuditInsertedIsNamed {

        @Test
        void shouldNameTheRecordWithoutANumber() {
            Finding found = tampered((records, at) ->
                    records.add(at, new TestRecord<>(new byte[0], new byte[0], new RecordHeaders(), 0L)));

            assertThat(found.kind()).isEqualTo(Finding.Kind.INSERTED);
        }

        @Test
        void shouldNameTheCopyOfAnotherRecord() {
            Finding found = tampered((records, at) -> records.add(at, records.get(at - 1)));

            assertThat(found.kind()).isEqualTo(Finding.Kind.INSERTED);
        }
    }

    /** Does something to the record of the leaf 4, and expects that it is named. */
    private Finding tampered(BiConsumer<List<TestRecord<byte[], byte[]>>, Integer> hand) {
        deleteSome();
        int at = 0;
        while (!mark(audit.records.get(at)).toString().startsWith("0 4 ")) {
            at++;
        }
        hand.accept(audit.records, at);
        Finding found = audit.again();
        assertThat(found).isNotNull();
        assertThat(found.first()).isEqualTo(4);
        assertThat(found.offset()).isEqualTo(at);
        return found;
    }

    private static LeafMark mark(TestRecord<byte[], byte[]> record) {
        return LeafMark.parse(EbbHeaders.text(record.headers(), EbbHeaders.LEAF));
    }

    private static TestRecord<byte[], byte[]> of(TestRecord<byte[], byte[]> record, String value) {
        return new TestRecord<>(
                record.key(), value.getBytes(StandardCharsets.UTF_8), record.headers(), record.timestamp());
    }

    @Nested
    final class KeyRenewed {

        @Test
        void shouldSignWithTheNewKeyAndKeepTheOldOnesValid() {
            // given
            SigningKey.Pair old = SigningKey.generate("ebb");
            SigningKey.Pair renewed = SigningKey.generate("ebb");
            fixture.signer = old.signing();
            deleteSome();
            int before = audit.checkpoints.size();

            // when
            fixture.restart();
            fixture.signer = renewed.signing();
            deleteSome();

            // then
            assertThat(audit.checkpoints.subList(0, before)).isNotEmpty().allMatch(note -> old.verifying()
                    .hasSigned(AuditReplay.note(note)));
            assertThat(audit.checkpoints.subList(before, audit.checkpoints.size()))
                    .isNotEmpty()
                    .allMatch(note -> renewed.verifying().hasSigned(AuditReplay.note(note)));
            assertThat(audit.again()).isNull();
        }
    }
}
