package dev.ebb.topology.gate;

import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.layout.SavedTree;
import dev.ebb.store.layout.StateFormat;
import dev.ebb.store.layout.TakenIn;
import dev.ebb.topology.assess.HourBudget;
import dev.ebb.topology.observe.CatchUp;
import dev.ebb.topology.policy.FormerValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * State of the policy gate: the last good record of each scope and case, and waiting records, in the order of arrival
 * or by their file. Not thread-safe.
 */
final class GateStore implements HourBudget.Notes, ClockGaps.Version {

    /** {@code scope or hold:case -> accepted bytes}. */
    private static final byte ACCEPTED = 'S';
    /** {@code scope or hold:case -> former values}. Values replaced by changes that can still be undone. */
    private static final byte FORMER = 'P';
    /** {@code namespace -> deletes by minute}. Unconfirmed deletes of the last hour. */
    private static final byte SPENT = 'D';
    /** {@code offset -> record}. Records that cannot be read yet, and all records behind them. */
    private static final byte WAITING = 'W';
    /** {@code offset -> record}. Records of files whose rest has not come. */
    private static final byte FILES = 'F';
    /** {@code version -> all but the records}. Changes that the brake has not let through. */
    private static final byte HELD = 'B';
    /** {@code version, offset -> record}. The records of those changes. */
    private static final byte HELD_RECORDS = 'R';
    /** The newest version that came into force; missing if none has since this entry was introduced. */
    private static final Bytes NEWEST = Bytes.wrap(new byte[] {'N'});

    /** The number of changes that have come into force behind newer ones. */
    private static final Bytes LATE = Bytes.wrap(new byte[] {'L'});

    /** The newest version of a report of a clock that is ahead. */
    private static final Bytes CLOCK = Bytes.wrap(new byte[] {'C'});

    private static final String WHAT = "the state of the policies";

    private final KeyValueStore<Bytes, byte[]> store;
    private final TakenIn takenIn;
    private final SavedTree tree;
    private boolean isClaimed;

    /** @throws dev.ebb.store.layout.StateFormatException if this version cannot read the stored state */
    GateStore(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
        StateFormat.requireReadable(store, WHAT);
        this.takenIn = new TakenIn(store);
        takenIn.open();
        this.tree = new SavedTree(store, null);
    }

    /** Notes that a record is taken in; throws {@code TakenInBeforeException} if the record must not come again. */
    void takeIn(InputRecord record, CatchUp input) {
        String topic = record.topic();
        if (takenIn.took(topic, input.topicId(topic), record.offset(), input.mayRepeat())) {
            takenIn.save();
        }
    }

    /** Returns the offset of the last record of that topic that was taken in; -1 if there is none or it is unknown. */
    long lastTaken(String topic, CatchUp input) {
        TakenIn.Position position = takenIn.saved().get(topic);
        return position == null || !position.topicId().equals(input.topicId(topic)) ? -1 : position.next() - 1;
    }

    /** Claims the store before the first write; not while the task is made, since nothing can be written then. */
    void claim() {
        if (!isClaimed) {
            StateFormat.claim(store, WHAT);
            tree.open();
            isClaimed = true;
        }
    }

    /** Returns the Merkle tree over the audit of policies and holds. */
    SavedTree tree() {
        return tree;
    }

    boolean contains(PolicyKey key) {
        return accepted(key) != null;
    }

    /** Returns the last good record of the key; null if there is none. */
    byte @Nullable [] accepted(PolicyKey key) {
        return store.get(key(ACCEPTED, key));
    }

    /** Returns the declarations of the sources in force, in the order of their names. */
    List<byte[]> acceptedSources() {
        List<byte[]> sources = new ArrayList<>();
        try (var entries = store.range(key(ACCEPTED, "source:"), key(ACCEPTED, "source;"))) {
            entries.forEachRemaining(entry -> sources.add(entry.value));
        }
        return sources;
    }

    void accept(PolicyKey key, byte @Nullable [] value) {
        store.put(key(ACCEPTED, key), value);
    }

    /** Returns the former values of the key, the newest first. */
    List<FormerValue> formerValues(PolicyKey key) {
        return FormerValue.decode(store.get(key(FORMER, key)));
    }

    void saveFormerValues(PolicyKey key, List<FormerValue> formers) {
        store.put(key(FORMER, key), FormerValue.encode(formers));
    }

    @Override
    public Map<String, byte[]> spent() {
        Map<String, byte[]> spent = new HashMap<>();
        try (var entries = store.range(Bytes.wrap(new byte[] {SPENT}), Bytes.wrap(new byte[] {SPENT + 1}))) {
            entries.forEachRemaining(entry -> spent.put(textOf(entry.key), entry.value));
        }
        return spent;
    }

    @Override
    public void saveSpent(String namespace, byte @Nullable [] deletes) {
        store.put(key(SPENT, namespace), deletes);
    }

    private static String textOf(Bytes key) {
        return new String(key.get(), 1, key.get().length - 1, StandardCharsets.UTF_8);
    }

    /** Returns the newest version that came into force; {@link PolicySet#NO_VERSION} if none is known. */
    long newestVersion() {
        byte[] value = store.get(NEWEST);
        return value == null ? PolicySet.NO_VERSION : ByteBuffer.wrap(value).getLong();
    }

    /** Returns the name of the policies in force; of its version, the newest that is known. */
    PolicyEdition edition() {
        return new PolicyEdition(newestVersion(), lateChanges());
    }

    /** Notes a version that comes into force. */
    void cameIntoForce(long version) {
        if (version > newestVersion()) {
            store.put(NEWEST, ByteBuffer.allocate(Long.BYTES).putLong(version).array());
        }
    }

    @Override
    public long clockVersion() {
        return number(CLOCK);
    }

    @Override
    public void saveClockVersion(long version) {
        store.put(CLOCK, ByteBuffer.allocate(Long.BYTES).putLong(version).array());
    }

    /** Returns the number of changes that have come into force behind newer ones. */
    long lateChanges() {
        return number(LATE);
    }

    /** Notes one more change that comes into force behind newer ones. */
    void noteLateChange() {
        store.put(
                LATE, ByteBuffer.allocate(Long.BYTES).putLong(lateChanges() + 1).array());
    }

    private long number(Bytes key) {
        byte[] value = store.get(key);
        return value == null ? 0 : ByteBuffer.wrap(value).getLong();
    }

    List<GateRecord> waiting() {
        return records(WAITING);
    }

    void addWaiting(GateRecord record) {
        store.put(offsetKey(WAITING, record.offset()), record.input().encode());
    }

    void removeWaiting(GateRecord record) {
        store.put(offsetKey(WAITING, record.offset()), null);
    }

    /** Returns the records of all files that are not complete, in the order of arrival. */
    List<GateRecord> ofFiles() {
        return records(FILES);
    }

    void addToFile(GateRecord record) {
        store.put(offsetKey(FILES, record.offset()), record.input().encode());
    }

    void removeFromFile(GateRecord record) {
        store.put(offsetKey(FILES, record.offset()), null);
    }

    /** Returns the changes that the brake holds back, in the order of arrival. */
    List<HeldBack> heldBack() {
        List<HeldBack> held = new ArrayList<>();
        try (var entries = store.range(offsetKey(HELD, 0), offsetKey(HELD, Long.MAX_VALUE))) {
            entries.forEachRemaining(entry -> {
                long version = ByteBuffer.wrap(entry.key.get()).getLong(1);
                held.add(HeldBack.decode(version, entry.value, heldRecords(version)));
            });
        }
        return held;
    }

    void holdBack(HeldBack change) {
        store.put(offsetKey(HELD, change.version()), change.encode());
        change.records()
                .forEach(record -> store.put(
                        heldKey(change.version(), record.offset()),
                        record.input().encode()));
    }

    /** Stores the change again; only the number of its deletes has changed. */
    void holdBackStill(HeldBack change) {
        store.put(offsetKey(HELD, change.version()), change.encode());
    }

    void letGo(HeldBack change) {
        store.put(offsetKey(HELD, change.version()), null);
        change.records().forEach(record -> store.put(heldKey(change.version(), record.offset()), null));
    }

    private List<GateRecord> heldRecords(long version) {
        return records(heldKey(version, 0), heldKey(version, Long.MAX_VALUE));
    }

    /** Returns the last good record of every key, as if it had just come. */
    List<GateRecord> allAccepted() {
        List<GateRecord> records = new ArrayList<>();
        try (var entries = store.range(Bytes.wrap(new byte[] {ACCEPTED}), Bytes.wrap(new byte[] {ACCEPTED + 1}))) {
            entries.forEachRemaining(entry -> {
                byte[] key = Arrays.copyOfRange(entry.key.get(), 1, entry.key.get().length);
                var input = new InputRecord("", 0, 0, 0, key, entry.value, new RecordHeaders());
                records.add(new GateRecord(input));
            });
        }
        return records;
    }

    private List<GateRecord> records(byte range) {
        return records(offsetKey(range, 0), offsetKey(range, Long.MAX_VALUE));
    }

    private List<GateRecord> records(Bytes first, Bytes last) {
        List<GateRecord> records = new ArrayList<>();
        try (var entries = store.range(first, last)) {
            entries.forEachRemaining(entry -> records.add(new GateRecord(InputRecord.decode(entry.value))));
        }
        return records;
    }

    private static Bytes offsetKey(byte range, long offset) {
        return Bytes.wrap(
                ByteBuffer.allocate(1 + Long.BYTES).put(range).putLong(offset).array());
    }

    private static Bytes heldKey(long version, long offset) {
        return Bytes.wrap(ByteBuffer.allocate(1 + 2 * Long.BYTES)
                .put(HELD_RECORDS)
                .putLong(version)
                .putLong(offset)
                .array());
    }

    private static Bytes key(byte range, PolicyKey key) {
        return key(range, key.toString());
    }

    private static Bytes key(byte range, String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return Bytes.wrap(
                ByteBuffer.allocate(1 + text.length).put(range).put(text).array());
    }
}
