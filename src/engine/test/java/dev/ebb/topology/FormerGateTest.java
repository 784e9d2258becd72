package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.domain.receipt.NoteSigner;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.store.layout.ByteWriter;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.layout.StateFormat;
import dev.ebb.topology.fault.FailedRecords;
import dev.ebb.topology.gate.PolicyGateProcessor;
import dev.ebb.topology.observe.ClockWatch;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.policy.Accepted;
import dev.ebb.topology.policy.PolicyViews;
import dev.ebb.topology.trash.TrashSource;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.Nodes;
import dev.ebb.topology.wire.Topics;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedForward;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A gate that takes over from one of state format 3, for which the version of a policy was its offset on the topic of accepted
 * policies, and which wrote rows and audit some time after it had accepted a change.
 */
class FormerGateTest {

    private static final Topics TOPICS = TopologyFixture.TOPICS;
    private static final TopologySettings SETTINGS = TopologyFixture.settings(OptionalLong.of(1), 10_000);

    /** All that the former gate has accepted up to there stands in SQL and in the audit. */
    private static final long TOLD = 101;

    private final TestRecords records = new TestRecords();
    private final MirrorRows rows = new MirrorRows();
    private final KeyValueStore<Bytes, byte[]> state =
            Stores.inMemoryKeyValueStore(Nodes.GATE_STORE).get();
    private final List<AuditRecord> audits = new ArrayList<>();
    private final Map<String, byte @Nullable []> written = new TreeMap<>();
    private final List<Accepted> unread = new ArrayList<>();
    private final PolicyViews views = new PolicyViews(SETTINGS.builtIn(), records);
    private MockProcessorContext<Addressed, byte[]> context;
    private PolicyGateProcessor gate;
    private long nowMs = TopologyFixture.T0;
    private long end = 100;

    @BeforeEach
    void takeOver() {
        byte[] all = records.policy(maxCount("*", 5));
        byte[] confirmed = records.policy(maxCount("namespace:n", 7));
        byte[] hold = records.hold(new Hold("c", Scope.namespace("a"), "", "", 1));
        accept("*", all, former(3));
        accept("hold:c", hold, former(4));
        accept(DecodedPolicy.MARK_KEY, records.mark(4, null, List.of()), new RecordHeaders());
        Headers untold = former(6);
        EbbHeaders.set(untold, EbbHeaders.CONFIRMED_BY, "eva");
        accept("namespace:n", confirmed, untold);
        Headers removal = former(7);
        EbbHeaders.set(removal, EbbHeaders.ACTOR, "otto");
        accept("stream:x", null, removal);
        accept(DecodedPolicy.MARK_KEY, records.mark(10, null, formerlyWaiting()), new RecordHeaders());

        store(key('S', "*"), all);
        store(key('S', "hold:c"), hold);
        store(key('S', "namespace:n"), confirmed);
        store(key('V'), number(TOLD));
        store(key('B', 8), heldBack("w", new BrakeFinding(20, false, 30)));
        store(key('R', 8, 8), ofFile(8, "namespace:w", "w"));
        store(key('R', 8, 9), ofFile(9, "namespace:v", "w"));
        store(key('F', 10), ofFile(10, "namespace:f", "h"));
        state.put(
                StateFormat.KEY,
                new ByteWriter(99)
                        .writeInt(3)
                        .writeText("0.9")
                        .writeVarLong(1)
                        .writeText(TOPICS.policies())
                        .writeText("")
                        .writeLong(11)
                        .toBytes());
        start();
    }

    @Test
    @Tag("O-3")
    void shouldTellOnceWhatTheFormerGateHadNotToldAndNumberRowsAnew() {
        // when
        tick();
        assertThat(audits).as("more of the former gate may be on its way").isEmpty();
        read();
        tick();

        // then
        assertThat(audits)
                .extracting(AuditRecord::auditId, AuditRecord::action, AuditRecord::policyVersion, AuditRecord::actor)
                .containsExactly(
                        tuple("policy-103", "POLICY_SET", 6L, ""),
                        tuple("policy-103-confirmed", "CONFIRMED", 6L, "eva"),
                        tuple("policy-104", "POLICY_REMOVED", 7L, "otto"));
        assertThat(row("*")).contains("\"version\":3");
        assertThat(row("namespace:n")).contains("\"version\":6");
        assertThat(written).containsEntry(rowKey("stream:x"), null);

        // when
        written.clear();
        start();
        tick();
        read();
        tick();

        // then
        assertThat(audits).hasSize(3);
        assertThat(written).doesNotContainKey(rowKey("namespace:n"));
    }

    /** A version that goes by other numbers must neither end a fence of the former one nor pass for one. */
    @Test
    @Tag("A-16")
    void shouldCompareHoldsByTheirOffsetsAmongTheAcceptedOnes() {
        // then
        assertThat(views.current().holdOffset()).isEqualTo(101);
        assertThat(views.current().readOffset()).isEqualTo(105);
        assertThat(views.current().policies().version()).isEqualTo(7);

        // when
        process(11, "hold:d", records.hold(new Hold("d", Scope.ALL, "", "", 1)), new RecordHeaders());
        read();

        // then
        assertThat(views.versionOf(PolicyKey.ofHold("d"))).isEqualTo(11);
        assertThat(views.current().holdOffset()).isGreaterThan(105);
    }

    @Test
    void shouldNotTouchTheRowOfWhatWasSetAnewMeanwhile() {
        // when
        process(11, "*", records.policy(maxCount("*", 6)), new RecordHeaders());
        read();
        tick();

        // then
        assertThat(row("*")).contains("\"version\":11");
        assertThat(audits).extracting(AuditRecord::auditId).startsWith("change-11-" + TopologyFixture.T0);
    }

    @Test
    @Tag("O-8")
    void shouldGoOnHoldingBackAndLetThroughByEitherNumber() {
        // given
        tick();
        read();
        assertThat(views.current().waiting())
                .extracting(WaitingPolicy::key, WaitingPolicy::version)
                .containsExactly(tuple(namespace("w"), 8L), tuple(namespace("v"), 8L));
        assertThat(views.current().policies().contains(namespace("w"))).isFalse();

        // when a confirmation names the number that the former gate has shown for the second record
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.CONFIRM_VERSION, 9);
        process(11, "confirm:namespace:v", null, headers);
        tick();
        read();

        // then
        assertThat(views.current().waiting()).isEmpty();
        assertThat(views.versionOf(namespace("w"))).isEqualTo(8);
        assertThat(views.versionOf(namespace("v"))).isEqualTo(8);
        assertThat(audits)
                .extracting(AuditRecord::auditId, AuditRecord::policyVersion)
                .contains(
                        tuple("change-8-" + TopologyFixture.T0, 8L),
                        tuple("change-8-" + TopologyFixture.T0 + "-confirmed", 8L),
                        tuple("change-9-" + TopologyFixture.T0, 8L),
                        tuple("change-9-" + TopologyFixture.T0 + "-confirmed", 8L));
    }

    @Test
    @Tag("O-13")
    void shouldTakeTheRestOfAFileThatHadHalfArrivedUnderOneVersion() {
        // when
        process(11, "namespace:g", records.policy(maxCount("namespace:g", 2)), TopologyFixture.ofFile("h", 2));
        read();

        // then
        assertThat(views.versionOf(namespace("f"))).isEqualTo(11);
        assertThat(views.versionOf(namespace("g"))).isEqualTo(11);
        assertThat(audits)
                .extracting(AuditRecord::auditId, AuditRecord::policyVersion)
                .containsExactly(
                        tuple("change-10-" + TopologyFixture.T0, 11L), tuple("change-11-" + TopologyFixture.T0, 11L));
    }

    private void start() {
        context = new MockProcessorContext<>(new Properties(), new TaskId(0, 0), new File("unused"));
        context.setCurrentSystemTimeMs(nowMs);
        context.addStateStore(state);
        var parts = new TopologyParts(
                records,
                records,
                rows,
                views,
                new TopologyFixture.TestCatchUp(),
                ClockWatch.SANE,
                Copies.NONE,
                TrashSource.NONE,
                NoteSigner.NONE,
                new TopologyFixture.RecordingObserver());
        gate = new PolicyGateProcessor(TOPICS, SETTINGS, parts, new FailedRecords());
        gate.init(context);
    }

    private void tick() {
        nowMs += 1000;
        context.setCurrentSystemTimeMs(nowMs);
        context.scheduledPunctuators().get(0).getPunctuator().punctuate(nowMs);
        take();
    }

    private void process(long offset, String key, byte @Nullable [] value, Headers headers) {
        context.setRecordMetadata(TOPICS.policies(), 0, offset);
        gate.process(new Record<>(bytes(key), value, nowMs, headers));
        take();
    }

    /** Notes what the gate has written; what it has accepted is seen when it is read. */
    private void take() {
        for (CapturedForward<? extends Addressed, ? extends byte[]> forward : context.forwarded()) {
            byte[] key = forward.record().key().key();
            byte[] value = forward.record().value();
            switch (forward.childName().orElseThrow()) {
                case Nodes.POLICY_AUDIT_SINK -> audits.add((AuditRecord) records.object(value));
                case Nodes.POLICY_MIRROR_SINK -> written.put(text(key), value);
                case Nodes.ACCEPTED_SINK ->
                    unread.add(new Accepted(
                            text(key), value, null, 0, nowMs, forward.record().headers()));
                default -> {}
            }
        }
        context.resetForwards();
    }

    private void read() {
        unread.forEach(record -> accept(record.key(), record.value(), record.headers()));
        unread.clear();
    }

    private void accept(String key, byte @Nullable [] value, Headers headers) {
        views.accept(new Accepted(key, value, null, end++, nowMs, headers));
    }

    private static Headers former(long sourceOffset) {
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, "ebb-source-offset", sourceOffset);
        return headers;
    }

    private static List<WaitingPolicy> formerlyWaiting() {
        return List.of(new WaitingPolicy(namespace("w"), 8, "otto", 5, "it would delete 20 of 30", null));
    }

    private byte[] ofFile(long offset, String key, String file) {
        byte[] value = records.policy(maxCount(key, 1));
        Headers headers = TopologyFixture.ofFile(file, 2);
        return new InputRecord(TOPICS.policies(), 0, offset, nowMs, bytes(key), value, headers).encode();
    }

    private static byte[] heldBack(String file, BrakeFinding finding) {
        byte[] name = bytes(file);
        byte[] actor = bytes("otto");
        return ByteBuffer.allocate(99)
                .putInt(name.length)
                .put(name)
                .putInt(actor.length)
                .put(actor)
                .putLong(5)
                .put((byte) 1)
                .putLong(finding.wouldDelete())
                .put((byte) 0)
                .putLong(finding.stored())
                .array();
    }

    private void store(byte[] key, byte[] value) {
        state.put(Bytes.wrap(key), value);
    }

    private static byte[] key(char range, String text) {
        byte[] bytes = bytes(text);
        return ByteBuffer.allocate(1 + bytes.length)
                .put((byte) range)
                .put(bytes)
                .array();
    }

    private static byte[] key(char range, long... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(1 + numbers.length * Long.BYTES).put((byte) range);
        for (long number : numbers) {
            bytes.putLong(number);
        }
        return bytes.array();
    }

    private static byte[] number(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private String row(String scope) {
        return text(written.get(rowKey(scope)));
    }

    private String rowKey(String scope) {
        return text(rows.policyKey(Scope.parse(scope)));
    }

    private static PolicyKey namespace(String name) {
        return PolicyKey.of(Scope.namespace(name));
    }

    private static RetentionPolicy maxCount(String scope, long count) {
        return RetentionPolicy.of(Scope.parse(scope)).maxCount(Limit.of(count)).build();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
