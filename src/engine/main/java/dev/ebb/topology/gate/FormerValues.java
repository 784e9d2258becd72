package dev.ebb.topology.gate;

import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.topology.policy.FormerValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** Values that changes of policies have replaced, for as long as their deletes can be undone (T-3). Not thread-safe. */
final class FormerValues {

    private final GateStore store;
    private final Function<GateRecord, PolicyVerdict> judge;
    private final Duration undoMax;
    private final LongSupplier clock;

    /** @param undoMax the longest time for which a delete can be undone */
    FormerValues(GateStore store, Function<GateRecord, PolicyVerdict> judge, Duration undoMax, LongSupplier clock) {
        this.store = store;
        this.judge = judge;
        this.undoMax = undoMax;
        this.clock = clock;
    }

    /** Notes the value that a change replaces, before the change is accepted; returns all former values of its key. */
    List<FormerValue> note(PolicyVerdict verdict, long version) {
        PolicyKey key = verdict.key();
        List<FormerValue> known = store.formerValues(key);
        byte[] value = store.accepted(key);
        if (!mayMakeDue(verdict.edit(), value)) {
            return known;
        }
        long nowMs = clock.getAsLong();
        List<FormerValue> noted =
                FormerValue.with(new FormerValue(version, nowMs, value), known, nowMs - undoMax.toMillis());
        store.saveFormerValues(key, noted);
        return noted;
    }

    private boolean mayMakeDue(PolicyEdit edit, byte @Nullable [] value) {
        PolicyKey key = edit.key();
        if (value == null) {
            return edit.mayMakeDue(new PolicyEdit(key, null, null));
        }
        byte[] name = key.toString().getBytes(StandardCharsets.UTF_8);
        PolicyVerdict former =
                judge.apply(new GateRecord(new InputRecord("", 0, 0, 0, name, value, new RecordHeaders())));
        return !former.isGood() || edit.mayMakeDue(former.edit());
    }
}
