package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.serde.text.PolicyJson;
import dev.ebb.topology.observe.TaskStatus.SweepState;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Policies that come into force, policies that are set aside, and the records about both. */
@Tag("M-11")
class PolicyGateTest {

    private static final Wait GONE = new Wait("schema 7", Wait.Kind.SCHEMA_UNUSABLE, "a reference is gone");

    private static final StreamName STREAM = new StreamName("orders/1");
    private static final RetentionPolicy BAD = RetentionPolicy.of(Scope.ALL)
            .intervalMs(-1L)
            .set(PolicyField.PATTERN, "cache")
            .build();

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @Tag("B-8")
    void shouldCallThePartitionsToWhatCameIntoForceInsteadOfLettingThemFindIt() {
        // given
        fixture.event(event("orders/1", "a"));
        fixture.settle();

        // when
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(10)).build());
        for (int i = 0; i < 10; i++) {
            fixture.advance(10);
        }

        // then
        assertThat(fixture.ids("orders/1")).isEmpty();
    }

    /** They go on in headers of the accepted record and in more than one place of the audit. */
    @Test
    @Tag("O-20")
    void shouldKeepTheBeginningOfLongHeaders() {
        // given
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.ACTOR, "a".repeat(500_000));
        EbbHeaders.set(headers, EbbHeaders.REASON, "r".repeat(500_000));

        // when
        fixture.policy("*", fixture.records.policy(maxCount(Scope.ALL, 5)), headers);
        fixture.settle();

        // then
        assertThat(fixture.policyChanges).singleElement().satisfies(change -> {
            assertThat(change.actor())
                    .startsWith("aaa")
                    .endsWith("(500000 characters)")
                    .hasSizeLessThan(300);
            assertThat(change.reason())
                    .startsWith("rrr")
                    .endsWith("(500000 characters)")
                    .hasSizeLessThan(4200);
        });
        assertThat(fixture.policies().policies()).hasSize(1);
    }

    @Test
    @Tag("O-20")
    void shouldRejectAPolicyWhoseFileHasATooLongId() {
        // when
        for (int length : new int[] {254, 255, 256}) {
            RetentionPolicy policy = maxCount(Scope.namespace("n" + length), 5);
            fixture.policyOfFile(policy, "f".repeat(length), 1);
        }

        // then
        assertThat(fixture.policies().policies()).hasSize(2);
        assertThat(fixture.observer.rejected).containsExactly(RejectReason.BAD_POLICY);
    }

    @Test
    void shouldPutAGoodPolicyIntoForce() {
        // when
        fixture.policy(maxCount(Scope.ALL, 5));

        // then
        assertThat(count()).isEqualTo(Limit.of(5));
        assertThat(fixture.policies()
                        .effective(STREAM)
                        .get(PolicyField.MAX_COUNT)
                        .source()
                        .version())
                .isEqualTo(fixture.policies().version());
    }

    @Test
    @Tag("M-11")
    @DisplayName("EmptyPolicyNeverInForce")
    void shouldNeverPutAPolicyWithoutAnyRuleIntoForce() {
        // given
        fixture.policy(maxCount(Scope.ALL, 5));

        // when
        fixture.policy(
                RetentionPolicy.of(Scope.ALL).updatedBy("eve").confirmed(true).build());

        // then
        assertThat(count()).isEqualTo(Limit.of(5));
        assertThat(rejections())
                .containsExactly("BAD_POLICY: [scope: has a policy without any rule; set one, maxAge for example, or"
                        + " delete the policy]");
    }

    @Test
    void shouldLeaveTheLastGoodPolicyInForceAlsoOnInstancesThatStartLater() {
        // given
        fixture.policy(maxCount(Scope.ALL, 5));

        // when
        fixture.policy(BAD);

        // then
        assertThat(count()).isEqualTo(Limit.of(5));
        assertThat(rejections())
                .containsExactly("BAD_POLICY: [interval: must be positive, was -1ms,"
                        + " pattern: is for namespace scopes only, this policy is for *]");
        fixture.restart();
        assertThat(count()).isEqualTo(Limit.of(5));
    }

    @Test
    void shouldRemoveAPolicy() {
        // given
        fixture.policy(maxCount(Scope.ALL, 5));

        // when
        fixture.removePolicy(Scope.ALL);

        // then
        assertThat(count()).isEqualTo(Limit.NONE);
        fixture.restart();
        assertThat(count()).isEqualTo(Limit.NONE);
    }

    @Test
    void shouldIgnoreADisabledPolicy() {
        // given
        fixture.policy(maxCount(Scope.ALL, 5));

        // when
        fixture.policy(maxCount(Scope.ALL, 3).toBuilder().enabled(false).build());

        // then
        assertThat(count()).isEqualTo(Limit.NONE);
        assertThat(fixture.policies().policies()).containsKey(Scope.ALL);
    }

    @Test
    void shouldSetAsideARemovalOfWhatIsNoScope() {
        // when
        fixture.policy("case:x", null, new RecordHeaders());

        // then
        assertThat(rejections())
                .containsExactly("BAD_POLICY: 'case:x' is not a scope; write stream:<name>, namespace:<name>,"
                        + " pattern:<name> or *");
    }

    @Test
    @Tag("O-8")
    void shouldSetAsideAConfirmationOfWhatDoesNotWait() {
        // when
        fixture.policy("confirm:*", null, new RecordHeaders());

        // then
        assertThat(rejections()).containsExactly("BAD_POLICY: no version -1 of * waits for a confirmation");
        assertThat(fixture.view().waiting()).isEmpty();
    }

    @Test
    void shouldSetAsideARecordOfItsOwnKind() {
        // when a record for the topic of accepted policies comes on the topic of policies
        fixture.policy(
                "gate", fixture.records.bytes(new DecodedPolicy.Mark(99, "nonsense", List.of())), new RecordHeaders());

        // then
        assertThat(rejections()).containsExactly("WRONG_TYPE: this record type is no policy");
        assertThat(fixture.view().unreadable()).isNull();
        assertThat(fixture.view().reflectedOffset()).isZero();
    }

    @Test
    @Tag("O-13")
    void shouldPutAFileIntoForceAllAtOnce() {
        // when
        fixture.policyOfFile(maxCount(Scope.ALL, 5), "file-1", 3);
        fixture.policyOfFile(maxCount(Scope.namespace("orders"), 6), "file-1", 3);
        PolicySet half = fixture.policies();
        fixture.policyOfFile(maxCount(Scope.stream("orders/1"), 7), "file-1", 3);

        // then
        assertThat(half.policies()).isEmpty();
        assertThat(fixture.policies().policies()).hasSize(3);
        assertThat(count()).isEqualTo(Limit.of(7));
        fixture.restart();
        assertThat(fixture.policies().policies()).hasSize(3);
    }

    /** Two people apply files at once, which have a scope in common: no other record of either is lost. */
    @Test
    @Tag("O-13")
    void shouldKeepTheRestOfAFileThatAnotherOneSupersedes() {
        // given a part of a file
        fixture.policyOfFile(maxCount(Scope.ALL, 5), "file-1", 3);
        fixture.policyOfFile(maxCount(Scope.namespace("a"), 5), "file-1", 3);

        // when another file comes, and then the rest of the first
        fixture.policyOfFile(maxCount(Scope.ALL, 6), "file-2", 2);
        fixture.policyOfFile(maxCount(Scope.namespace("b"), 6), "file-2", 2);
        assertThat(fixture.policies().policies()).containsOnlyKeys(Scope.ALL, Scope.namespace("b"));
        fixture.policyOfFile(maxCount(Scope.namespace("c"), 5), "file-1", 3);

        // then
        assertThat(fixture.policies().policies())
                .containsOnlyKeys(Scope.ALL, Scope.namespace("a"), Scope.namespace("b"), Scope.namespace("c"));
    }

    @Test
    @Tag("O-13")
    void shouldLetOtherPoliciesThroughWhileAFileIsIncomplete() {
        // when
        fixture.policyOfFile(maxCount(Scope.ALL, 5), "file-1", 2);
        fixture.policy(maxCount(Scope.namespace("orders"), 6));

        // then
        assertThat(fixture.policies().policies()).containsOnlyKeys(Scope.namespace("orders"));
    }

    @Test
    @Tag("O-13")
    void shouldRefuseAFileWholeForOneBadPolicy() {
        // given
        fixture.policy(maxCount(Scope.ALL, 4));

        // when
        fixture.policyOfFile(maxCount(Scope.namespace("orders"), 6), "file-1", 3);
        fixture.policyOfFile(BAD, "file-1", 3);
        fixture.policyOfFile(maxCount(Scope.ALL, 5), "file-1", 3);

        // then
        assertThat(fixture.policies().policies()).containsOnlyKeys(Scope.ALL);
        assertThat(count()).isEqualTo(Limit.of(4));
        assertThat(rejections()).hasSize(3);
        assertThat(rejections().get(0)).isEqualTo("BAD_POLICY: another policy of the same file was refused");
        assertThat(rejections().get(1)).startsWith("BAD_POLICY: [interval: ");
    }

    @Test
    @Tag("O-13")
    void shouldRememberHalfAFileThroughARestart() {
        // given a record before the file, since the topic of this fixture counts its offsets from 0 after a restart
        fixture.policy(maxCount(Scope.stream("orders/1"), 4));
        fixture.policyOfFile(maxCount(Scope.ALL, 5), "file-1", 2);

        // when
        fixture.restart();
        assertThat(fixture.policies().policies()).hasSize(1);
        fixture.policyOfFile(maxCount(Scope.namespace("orders"), 6), "file-1", 2);

        // then
        assertThat(fixture.policies().policies()).hasSize(3);
    }

    /** Instances that start wait until all is reflected that the topic of policies held then. */
    @Test
    @Tag("O-1")
    void shouldSayAfterARestartWhatItHadReadWithoutSayingSo() {
        // given the beginning of a file, after which the gate says nothing until its next tick
        fixture.catchUp.topicId = "t";
        fixture.policy(maxCount(Scope.stream("orders/1"), 4));
        fixture.policyOfFile(maxCount(Scope.ALL, 5), "file-1", 2);
        assertThat(fixture.view().reflectedOffset()).isZero();

        // when
        fixture.catchUp.policiesTarget = 1;
        fixture.restart();
        fixture.advance(2000);
        fixture.advance(2000);

        // then
        assertThat(fixture.view().reflectedOffset()).isEqualTo(1);
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.IDLE);
    }

    @Test
    @Tag("O-13")
    void shouldWaitWithAFileOfWhichTheBeginningCannotBeReadAnyMore() {
        // given
        fixture.policy(maxCount(Scope.stream("orders/1"), 4));
        RetentionPolicy first = maxCount(Scope.ALL, 5);
        fixture.policy("*", fixture.records.bytes("schema 7", first), TopologyFixture.ofFile("file-1", 2));

        // when the gate moves to an instance that does not have the schema yet
        fixture.restart();
        fixture.records.awaited(Wait.of("schema 7"));
        fixture.policyOfFile(maxCount(Scope.namespace("orders"), 6), "file-1", 2);

        // then
        fixture.advance(1000);
        assertThat(rejections()).isEmpty();
        assertThat(fixture.policies().policies()).hasSize(1);
        assertThat(fixture.view().unreadable()).isEqualTo("a policy waits for schema 7");

        // when
        fixture.records.arrived("schema 7");
        fixture.advance(1000);

        // then
        assertThat(rejections()).isEmpty();
        assertThat(fixture.policies().policies()).hasSize(3);
        assertThat(fixture.view().unreadable()).isNull();
    }

    @Test
    @Tag("O-13")
    void shouldGiveUpOnAFileWhoseRestDoesNotCome() {
        // given
        fixture.policyOfFile(maxCount(Scope.ALL, 5), "file-1", 2);

        // when
        fixture.advance(1000);
        fixture.advance(60_000);
        assertThat(rejections()).isEmpty();
        fixture.advance(1000);

        // then
        assertThat(rejections()).containsExactly("BAD_POLICY: the rest of its file did not come");
        assertThat(fixture.policies().policies()).isEmpty();
    }

    @Test
    @Tag("O-13")
    void shouldTakeAFileThatIsOldWhenTheGateMeetsIt() {
        // given records from an hour ago, with a tick between them
        long hourAgo = fixture.nowMs() - 3_600_000;
        fixture.policy(
                "*", fixture.records.bytes(maxCount(Scope.ALL, 5)), TopologyFixture.ofFile("file-1", 2), hourAgo);
        fixture.advance(1000);

        // when
        fixture.policy(
                "namespace:orders",
                fixture.records.bytes(maxCount(Scope.namespace("orders"), 6)),
                TopologyFixture.ofFile("file-1", 2),
                hourAgo);

        // then
        assertThat(rejections()).isEmpty();
        assertThat(fixture.policies().policies()).hasSize(2);
    }

    @Test
    @Tag("O-20")
    void shouldTakeAllInTheirOrderWhenTheRegistryIsBack() {
        // given
        fixture.records.registryDown(true);
        fixture.policy(maxCount(Scope.ALL, 5));
        fixture.policy(maxCount(Scope.ALL, 6));
        fixture.removePolicy(Scope.namespace("orders"));
        fixture.advance(1000);

        // when
        fixture.records.registryDown(false);

        // then
        assertThat(fixture.policies().policies()).isEmpty();
        fixture.advance(1000);
        assertThat(count()).isEqualTo(Limit.of(6));
        assertThat(fixture.view().unreadable()).isNull();
        assertThat(fixture.view().reflectedOffset()).isEqualTo(2);
    }

    @Test
    @Tag("O-20")
    void shouldLetPoliciesAndHoldsPassOneThatNeverComes() {
        // given
        never("namespace:orders");

        // when
        fixture.policy(maxCount(Scope.ALL, 5));
        fixture.hold("LIT-1", Scope.namespace("mail"));
        fixture.policy(maxCount(Scope.namespace("orders"), 7));
        fixture.advance(1000);

        // then only what is behind it waits, and nothing is swept
        assertThat(count()).isEqualTo(Limit.of(5));
        assertThat(fixture.policies().isHeld(new StreamName("mail/1"))).isTrue();
        assertThat(fixture.policies().contains(PolicyKey.of(Scope.namespace("orders"))))
                .isFalse();
        assertThat(fixture.view().unreadable()).isEqualTo("a policy waits for schema 7: a reference is gone");

        // when it is there
        fixture.records.arrived("schema 7");
        fixture.advance(1000);

        // then the newest is in force
        assertThat(fixture.policies()
                        .effective(new StreamName("orders/1"))
                        .get(PolicyField.MAX_COUNT)
                        .value())
                .isEqualTo(Limit.of(7));
        assertThat(fixture.view().unreadable()).isNull();
    }

    @Test
    @Tag("O-20")
    void shouldLetEventsInAtAStartThatFindsAPolicyThatHardlyHeals() {
        // given
        never("namespace:orders");
        fixture.policy(maxCount(Scope.ALL, 5));

        // when
        fixture.restart();
        fixture.advance(1000);

        // then
        assertThat(fixture.view().reflectedOffset()).isEqualTo(1);
        assertThat(fixture.view().unreadable()).isNotNull();
    }

    @Test
    @Tag("O-20")
    void shouldHoldUpAFileAsAWhole() {
        // given a file of two, one of which cannot be read
        fixture.policyOfFile(maxCount(Scope.ALL, 5), "f", 2);
        Headers ofFile = TopologyFixture.ofFile("f", 2);
        fixture.records.awaited(GONE);
        fixture.policy(
                "namespace:mail", fixture.records.bytes("schema 7", maxCount(Scope.namespace("mail"), 7)), ofFile);

        // when a later one is for the scope of the other, and more than a minute passes
        fixture.policy(maxCount(Scope.ALL, 6));
        fixture.settleFor(120);

        // then
        assertThat(fixture.policies().policies()).isEmpty();

        // when
        fixture.records.arrived("schema 7");
        fixture.advance(1000);

        // then the later one counts
        assertThat(fixture.policies().policies()).hasSize(2);
        assertThat(count()).isEqualTo(Limit.of(6));
        assertThat(fixture.rejected).isEmpty();
    }

    @Test
    @Tag("O-20")
    void shouldDropWhatCannotBeReadAndSweepAgain() {
        // given
        never("namespace:orders");
        fixture.policy(maxCount(Scope.namespace("orders"), 7));
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.ACTOR, "eva");
        EbbHeaders.set(headers, EbbHeaders.REASON, "the schema is lost");
        EbbHeaders.set(headers, EbbHeaders.DROP_VERSION, 0);

        // when
        fixture.policy("drop:namespace:orders", null, headers);
        fixture.advance(1000);

        // then the record is kept, and the one behind it is in force
        assertThat(fixture.view().unreadable()).isNull();
        assertThat(fixture.policies().contains(PolicyKey.of(Scope.namespace("orders"))))
                .isTrue();
        assertThat(fixture.rejected).singleElement().satisfies(record -> {
            assertThat(EbbHeaders.text(record.headers(), EbbHeaders.REJECTED_REASON))
                    .isEqualTo("DROPPED");
            assertThat(EbbHeaders.text(record.headers(), EbbHeaders.REJECTED_DETAIL))
                    .isEqualTo("dropped by eva: the schema is lost");
            assertThat(EbbHeaders.text(record.headers(), EbbHeaders.REJECTED_OFFSET))
                    .isEqualTo("0");
        });

        // when the same is asked for once more
        fixture.policy("drop:namespace:orders", null, headers);

        // then
        assertThat(fixture.rejected).hasSize(2);
        assertThat(EbbHeaders.text(fixture.rejected.get(1).headers(), EbbHeaders.REJECTED_REASON))
                .isEqualTo("BAD_POLICY");
    }

    @Test
    @Tag("O-20")
    void shouldDropNothingOfAnotherVersion() {
        // given
        never("namespace:orders");
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.DROP_VERSION, 1);

        // when
        fixture.policy("drop:namespace:orders", null, headers);

        // then
        assertThat(fixture.view().unreadable()).isNotNull();
    }

    private void never(String key) {
        fixture.records.awaited(GONE);
        fixture.policy(key, fixture.records.bytes("schema 7", maxCount(Scope.parse(key), 3)), new RecordHeaders());
    }

    @Test
    @Tag("O-20")
    void shouldSayThatAPolicyCannotBeRead() {
        // when
        fixture.records.registryDown(true);
        fixture.policy(maxCount(Scope.ALL, 5));
        fixture.records.registryDown(false);

        // then
        assertThat(fixture.view().unreadable()).isEqualTo("a policy waits for schema 2");
        assertThat(fixture.view().reflectedOffset()).isEqualTo(-1);
    }

    @Test
    @Tag("O-3")
    void shouldAuditEachChangeOnceItIsInForce() {
        // when
        fixture.policy(maxCount(Scope.ALL, 5).toBuilder()
                .updatedBy("anna")
                .reason("because")
                .build());
        fixture.policy(BAD);
        fixture.removePolicy(Scope.ALL);
        fixture.advance(1000);

        // then
        assertThat(fixture.policyChanges)
                .extracting(AuditRecord::scope, AuditRecord::actor, AuditRecord::reason)
                .containsExactly(tuple("*", "anna", "because"), tuple("*", "", ""));
        assertThat(fixture.policyChanges).extracting(AuditRecord::policyVersion).containsExactly(0L, 2L);
        assertThat(fixture.policyChanges.get(0).policy())
                .isEqualTo(PolicyJson.write(fixturePolicy()).toString());
        assertThat(fixture.policyChanges.get(1).policy()).isNull();
        assertThat(fixture.policyChanges.get(1).policyVersion())
                .isEqualTo(fixture.policies().version());
    }

    @Test
    @Tag("O-3")
    void shouldNotRepeatTheAuditAfterARestart() {
        // given
        fixture.policy(maxCount(Scope.ALL, 5));
        fixture.advance(1000);
        assertThat(fixture.policyChanges).hasSize(1);

        // when
        fixture.restart();
        fixture.advance(1000);

        // then
        assertThat(fixture.policyChanges).hasSize(1);
    }

    @Test
    @Tag("M-8")
    void shouldMirrorWhatIsInForceWithItsBuiltInValues() {
        // given
        fixture.advance(1000);
        assertThat(fixture.policyRows)
                .hasSize(new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE)
                        .all()
                        .size());
        byte[] builtIn = rowOf(Scope.ALL);

        // when
        fixture.policy(maxCount(Scope.ALL, 5));
        fixture.policy(maxCount(Scope.stream("orders/1"), 7));
        fixture.advance(1000);

        // then
        RetentionPolicy merged =
                maxCount(Scope.ALL, 5).orElse(fixture.settings().builtIn().all().get(Scope.ALL));
        assertThat(rowOf(Scope.ALL)).isNotEqualTo(builtIn);
        assertThat(rowOf(Scope.ALL))
                .isEqualTo(fixture.rows.policyRow(
                        merged,
                        fixture.policyChanges.get(0).policyVersion(),
                        false,
                        fixture.policyChanges.get(0).atMs()));
        assertThat(rowOf(Scope.stream("orders/1"))).isNotNull();

        // when
        fixture.removePolicy(Scope.ALL);
        fixture.removePolicy(Scope.stream("orders/1"));
        fixture.advance(1000);

        // then
        assertThat(new String(rowOf(Scope.ALL), StandardCharsets.UTF_8)).contains("\"built_in\":true");
        assertThat(rowOf(Scope.stream("orders/1"))).isNull();
    }

    private byte[] rowOf(Scope scope) {
        String key = new String(fixture.rows.policyKey(scope), StandardCharsets.UTF_8);
        assertThat(fixture.policyRows).containsKey(key);
        return fixture.policyRows.get(key);
    }

    private RetentionPolicy fixturePolicy() {
        return maxCount(Scope.ALL, 5).toBuilder()
                .updatedBy("anna")
                .reason("because")
                .build();
    }

    private Limit count() {
        return fixture.policies().effective(STREAM).get(PolicyField.MAX_COUNT).value();
    }

    private List<String> rejections() {
        return fixture.rejected.stream()
                .map(record -> EbbHeaders.text(record.headers(), EbbHeaders.REJECTED_REASON) + ": "
                        + EbbHeaders.text(record.headers(), EbbHeaders.REJECTED_DETAIL))
                .toList();
    }

    private static RetentionPolicy maxCount(Scope scope, long count) {
        return RetentionPolicy.of(scope).maxCount(Limit.of(count)).build();
    }
}
