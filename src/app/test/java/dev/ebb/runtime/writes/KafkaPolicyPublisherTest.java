package dev.ebb.runtime.writes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.runtime.TextWriter;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaPolicyPublisherTest {

    private static final RetentionPolicy POLICY =
            RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(3)).build();

    private static final Hold HOLD = new Hold("c-1", Scope.stream("s"), "", "", 0);

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final List<MockProducer<byte[], byte[]>> singles = new CopyOnWriteArrayList<>();
    private boolean isTakenAtOnce = true;
    private final KafkaPolicyPublisher publisher = publisher(1_048_576);

    @Test
    void shouldSendAllOfACallInOneTransactionAndMarkIt() {
        // when
        long offset = publisher.publish(new PolicyBatch(
                List.of(POLICY),
                List.of(new Hold("c-1", Scope.stream("s"), "", "", 0)),
                Set.of(PolicyKey.of(Scope.namespace("old")), PolicyKey.ofHold("c-0")),
                "eva",
                "because"));

        // then
        assertThat(offset).isEqualTo(3);
        assertThat(producer.commitCount()).isEqualTo(1);
        assertThat(producer.closed()).isTrue();
        List<ProducerRecord<byte[], byte[]>> records = producer.history();
        assertThat(records)
                .extracting(record -> text(record.key()))
                .containsExactly("*", "hold:c-1", "namespace:old", "hold:c-0");
        assertThat(records.get(0).value()).isEqualTo("policy *".getBytes(StandardCharsets.UTF_8));
        assertThat(records.get(1).value()).isEqualTo("hold c-1".getBytes(StandardCharsets.UTF_8));
        assertThat(records.get(2).value()).isNull();
        assertThat(records.get(3).value()).isNull();
        assertThat(records)
                .extracting(record -> header(record, "ebb-apply-count"))
                .containsOnly("4");
        assertThat(records)
                .extracting(record -> header(record, "ebb-apply-id"))
                .hasSize(4)
                .containsOnly(header(records.get(0), "ebb-apply-id"));
        assertThat(records).extracting(record -> header(record, "ebb-actor")).containsOnly("eva");
        assertThat(records).extracting(record -> header(record, "ebb-reason")).containsOnly("because");
    }

    @Test
    @Tag("O-8")
    void shouldConfirmOneVersionOfOneRecord() {
        // when
        publisher.confirm(PolicyKey.ofHold("c-1"), 17, null, 3, "eva", "");

        // then
        assertThat(singles.get(0).history()).singleElement().satisfies(record -> {
            assertThat(text(record.key())).isEqualTo("confirm:hold:c-1");
            assertThat(record.value()).isNull();
            assertThat(header(record, "ebb-confirm-version")).isEqualTo("17");
            assertThat(header(record, "ebb-confirm-records")).isEqualTo("3");
            assertThat(header(record, "ebb-actor")).isEqualTo("eva");
            assertThat(record.headers().lastHeader("ebb-reason")).isNull();
        });
        assertThat(producer.transactionInitialized()).isFalse();
    }

    /** No bound is confirmed that was told as none. */
    @ParameterizedTest
    @CsvSource(
            value = {"false, 12", "true, none"},
            nullValues = "none")
    @Tag("O-8")
    void shouldSayWhatWasConfirmed(boolean isAtLeast, String count) {
        // when
        publisher.confirm(PolicyKey.ofHold("c-1"), 17, new BrakeFinding(12, isAtLeast, 40), 1, "eva", "");

        // then
        assertThat(EbbHeaders.text(singles.get(0).history().get(0).headers(), EbbHeaders.CONFIRM_COUNT))
                .isEqualTo(count);
    }

    @ParameterizedTest
    @CsvSource({"-1,false", "0,true", "1,true"})
    @Tag("O-8")
    void shouldSendNothingOfAChangeThatTheBrakeCouldNotAskAbout(int spareBytes, boolean isSent) {
        // given an errand that this writer writes as a short text; the rest of the bytes is the overhead of a record
        int needed = "ASSESS ".length() + 256;
        KafkaPolicyPublisher limited = publisher(needed + spareBytes);

        // when
        Throwable thrown = catchThrowable(() -> limited.publish(PolicyBatch.ofPolicies(List.of(POLICY))));

        // then
        assertThat(singles.stream().mapToInt(one -> one.history().size()).sum()).isEqualTo(isSent ? 1 : 0);
        assertThat(thrown == null).isEqualTo(isSent);
        if (!isSent) {
            assertThat(thrown)
                    .isInstanceOf(PolicyAdmin.TooBigException.class)
                    .hasMessage("the change of 1 policies and holds takes " + needed
                            + " bytes as one record, more than record.max.bytes (" + (needed - 1)
                            + "); split it into several changes");
        }
    }

    @Test
    void shouldCommitNothingWhenOneRecordIsNotTaken() {
        // given
        producer.sendException = new KafkaException("as the test wants it");

        // then
        PolicyBatch two = new PolicyBatch(List.of(POLICY), List.of(HOLD), Set.of(), "", "");
        assertThatThrownBy(() -> publisher.publish(two)).isInstanceOf(KafkaException.class);
        assertThat(producer.commitCount()).isZero();
        assertThat(producer.closed()).isTrue();
    }

    @Test
    void shouldSendSingleRecordsWithOneProducerAndWithoutTransactions() {
        // when
        for (int i = 0; i < 3; i++) {
            assertThat(publisher.publish(PolicyBatch.ofPolicies(List.of(POLICY))))
                    .isEqualTo(i);
        }

        // then
        assertThat(singles).hasSize(1);
        assertThat(singles.get(0).history())
                .extracting(record -> header(record, "ebb-apply-count"))
                .containsExactly("1", "1", "1");
        assertThat(producer.transactionInitialized()).isFalse();
        publisher.close();
        assertThat(singles.get(0).closed()).isTrue();
        assertThatThrownBy(() -> publisher.publish(PolicyBatch.ofPolicies(List.of(POLICY))))
                .isInstanceOf(KafkaException.class);
    }

    @Test
    @Tag("M-18")
    void shouldSendAHoldThoughThePoliciesBeforeItHaveNotBeenTaken() throws Exception {
        // given a policy that the broker has not acknowledged
        isTakenAtOnce = false;
        CompletableFuture<Long> policy =
                CompletableFuture.supplyAsync(() -> publisher.publish(PolicyBatch.ofPolicies(List.of(POLICY))));
        awaitSent(1);

        // when
        CompletableFuture<Long> hold = CompletableFuture.supplyAsync(
                () -> publisher.publish(new PolicyBatch(List.of(), List.of(HOLD), Set.of(), "", "")));

        // then
        awaitSent(2);
        singles.get(0).completeNext();
        singles.get(0).completeNext();
        assertThat(policy.get(10, TimeUnit.SECONDS)).isZero();
        assertThat(hold.get(10, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void shouldSendWithANewProducerAfterOneHasFailed() {
        // given
        isTakenAtOnce = false;
        CompletableFuture<Long> failing =
                CompletableFuture.supplyAsync(() -> publisher.publish(PolicyBatch.ofPolicies(List.of(POLICY))));
        awaitSent(1);
        singles.get(0).errorNext(new TimeoutException("as the test wants it"));
        assertThat(failing).failsWithin(Duration.ofSeconds(10));

        // when
        isTakenAtOnce = true;
        publisher.publish(PolicyBatch.ofPolicies(List.of(POLICY)));

        // then
        assertThat(singles).hasSize(2);
        assertThat(singles.get(0).closed()).isTrue();
    }

    @Test
    @Tag("M-18")
    void shouldWaitForTheAnswerToAHoldThoughThePolicyBeforeItFailed() throws Exception {
        // given
        isTakenAtOnce = false;
        CompletableFuture<Long> failing =
                CompletableFuture.supplyAsync(() -> publisher.publish(PolicyBatch.ofPolicies(List.of(POLICY))));
        awaitSent(1);
        CompletableFuture<Long> hold = CompletableFuture.supplyAsync(
                () -> publisher.publish(new PolicyBatch(List.of(), List.of(HOLD), Set.of(), "", "")));
        awaitSent(2);

        // when
        singles.get(0).errorNext(new TimeoutException("as the test wants it"));

        // then
        assertThat(failing).failsWithin(Duration.ofSeconds(10));
        assertThat(singles.get(0).closed()).isFalse();
        singles.get(0).completeNext();
        assertThat(hold.get(10, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(singles.get(0).closed()).isTrue();
    }

    @Test
    void shouldSendWithANewProducerAfterOneHasTakenNothing() {
        // given a producer that has failed for good, and says so at the next call
        publisher.publish(PolicyBatch.ofPolicies(List.of(POLICY)));
        singles.get(0).sendException = new KafkaException("as the test wants it");
        assertThatThrownBy(() -> publisher.publish(PolicyBatch.ofPolicies(List.of(POLICY))))
                .isInstanceOf(KafkaException.class);

        // when
        publisher.publish(PolicyBatch.ofPolicies(List.of(POLICY)));

        // then
        assertThat(singles).hasSize(2);
        assertThat(singles.get(0).closed()).isTrue();
    }

    private void awaitSent(int records) {
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (singles.isEmpty() || singles.get(0).history().size() < records) {
            assertThat(System.nanoTime()).as(records + " records are sent").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private KafkaPolicyPublisher publisher(int maxBytes) {
        return new KafkaPolicyPublisher(() -> producer, this::single, "ebb.policies", maxBytes, new TextWriter());
    }

    private MockProducer<byte[], byte[]> single() {
        var single = new MockProducer<>(isTakenAtOnce, null, new ByteArraySerializer(), new ByteArraySerializer());
        singles.add(single);
        return single;
    }

    private static String header(ProducerRecord<byte[], byte[]> record, String name) {
        return text(record.headers().lastHeader(name).value());
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
