package dev.ebb.topology.policy;

import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RecentChanges.Change;
import dev.ebb.domain.policy.RecentChanges.Touch;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.FormerPolicy;
import dev.ebb.domain.policy.change.SpentHour;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.serde.records.SettingsJson;
import dev.ebb.serde.text.JsonState;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Policies in force as this instance sees them, fed by the global store and read through one immutable view that is
 * replaced as a whole. The records of one file come into force together. Thread-safe.
 */
public class PolicyViews {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyViews.class);

    /** Longest pause between two looks for a missing schema, since its arrival is not announced. */
    private static final long MAX_PAUSE_MS = 100;

    private final RecordReader reader;

    /** Policies of the next view. Each record makes a view, so its cost must not grow with the number of policies. */
    private PolicySet policies;

    private final RetentionSettings configured;

    private final KnownHolds holds = new KnownHolds();
    private final Map<String, Map<String, Accepted>> incomplete = new LinkedHashMap<>();
    private final Map<String, Accepted> newest = new HashMap<>();

    private final Deque<Accepted> undecoded = new ArrayDeque<>();

    /** Offset of the newest undecoded record of each key. */
    private final Map<String, Long> newestUndecoded = new HashMap<>();

    private @Nullable String gateUnreadable;
    private boolean areSettingsUnreadable;
    private List<WaitingPolicy> waiting = List.of();
    private volatile ConfirmedClock confirmedClock = ConfirmedClock.NONE;
    private SpentHour spent = SpentHour.NOTHING;
    private long reflectedOffset = -1;
    private long lateChanges;
    private long version = PolicySet.NO_VERSION;
    private long seenOffset = -1;
    private volatile boolean hasUndecoded;
    private volatile PolicyView view;

    /**
     * @param builtIn the policies of this instance's configuration; the gate decides which come into force (T-13)
     * @param reader reads the accepted records
     */
    public PolicyViews(BuiltInPolicies builtIn, RecordReader reader) {
        this.reader = reader;
        this.configured = builtIn.settings();
        this.policies = PolicySet.empty(builtIn);
        this.view = new PolicyView(policies, reflectedOffset, null);
    }

    /** Returns the policies in force now. */
    public PolicyView current() {
        if (hasUndecoded) {
            decodeMore();
        }
        return view;
    }

    /**
     * Waits for a view of that kind; returns the first one, or the current view when the wait ends.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public synchronized PolicyView await(Predicate<PolicyView> isIt, Duration wait) throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        while (true) {
            PolicyView now = current();
            long leftMs = Math.min(TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()), MAX_PAUSE_MS);
            if (leftMs <= 0 || isIt.test(now)) {
                return now;
            }
            wait(leftMs);
        }
    }

    /** Returns the times that people have confirmed. */
    public ConfirmedClock confirmedClock() {
        return confirmedClock;
    }

    /** Returns the settings that the gate has accepted; null if it has accepted none yet. */
    public synchronized @Nullable RetentionSettings settings() {
        Accepted last = newest.get(PolicyKey.SETTINGS.toString());
        return last == null ? null : last.settings();
    }

    /** Returns the version of the last change of that policy or hold; {@link PolicySet#NO_VERSION} if there is none. */
    public synchronized long versionOf(PolicyKey key) {
        Accepted last = newest.get(key.toString());
        return last == null ? PolicySet.NO_VERSION : last.version();
    }

    /**
     * Returns what was in force under that key before a change of its rules, or before its hold was released.
     *
     * @param version the version of the change; null for the newest one
     * @return null if there was no such change, it can no longer be undone, or the replaced record cannot be read
     */
    public synchronized @Nullable FormerPolicy before(PolicyKey key, @Nullable Long version) {
        Accepted last = newest.get(key.toString());
        List<FormerValue> formers = last == null ? List.of() : FormerValue.read(last.headers());
        return formers.stream()
                .filter(former -> version == null || former.version() == version)
                .findFirst()
                .map(former -> decoded(key, former))
                .orElse(null);
    }

    private @Nullable FormerPolicy decoded(PolicyKey key, FormerValue former) {
        byte[] value = former.value();
        if (value == null) {
            return new FormerPolicy(former.version(), new PolicyEdit(key, null, null));
        }
        DecodedPolicy decoded = reader.readPolicy(key.toString(), value);
        if (decoded instanceof DecodedPolicy.Policy policy) {
            return new FormerPolicy(former.version(), new PolicyEdit(key, policy.policy(), null));
        }
        if (decoded instanceof DecodedPolicy.OfSettings settings) {
            return new FormerPolicy(former.version(), PolicyEdit.of(settings.settings()));
        }
        return decoded instanceof DecodedPolicy.OfHold hold
                ? new FormerPolicy(former.version(), new PolicyEdit(key, null, hold.hold()))
                : null;
    }

    /**
     * Notes that everything that the topic holds has been seen: if the rest of a file was compacted away, the remaining
     * records are in force.
     *
     * @param endOffset the end of the topic when it was read; compaction may have removed records before it
     */
    public synchronized void restored(long endOffset) {
        seenOffset = Math.max(seenOffset, endOffset - 1);
        incomplete.values().forEach(records -> records.values().forEach(this::apply));
        incomplete.clear();
        publish();
    }

    /** Takes a record of the topic of accepted policies. */
    public synchronized void accept(Accepted accepted) {
        seenOffset = Math.max(seenOffset, accepted.offset());
        if (accepted.isOfGate()) {
            undecoded.add(accepted);
            newestUndecoded.put(accepted.key(), accepted.offset());
        }
        decodeMore();
    }

    private synchronized void decodeMore() {
        while (!undecoded.isEmpty() && takeOrPassOver(undecoded.peek())) {
            Accepted taken = undecoded.remove();
            newestUndecoded.remove(taken.key(), taken.offset());
        }
        hasUndecoded = !undecoded.isEmpty();
        publish();
    }

    /** Takes a record, or skips a meaningless one, which must neither hold up later ones nor end the instance. */
    private boolean takeOrPassOver(Accepted accepted) {
        try {
            return take(accepted);
        } catch (RuntimeException e) {
            LOG.atError()
                    .setCause(e)
                    .addKeyValue("offset", accepted.offset())
                    .log("an accepted policy cannot be taken and is passed over");
            if (isNewest(accepted) && !accepted.isGood()) {
                lose(accepted);
            }
            return true;
        }
    }

    /** Returns false if the record cannot be read yet. */
    private boolean take(Accepted accepted) {
        byte[] value = accepted.value();
        if (accepted.key().equals(PolicyKey.CLOCK.toString()) && value != null) {
            // The gate may have moved, and have written this record before it saw the times of others.
            confirmedClock = confirmedClock.with(ConfirmedClock.decode(value));
            newest.put(accepted.key(), accepted);
            return true;
        }
        if (accepted.key().equals(PolicyKey.SPENT.toString()) && value != null) {
            spent = JsonState.read(new String(value, StandardCharsets.UTF_8), SpentHour.class);
            newest.put(accepted.key(), accepted);
            return true;
        }
        DecodedPolicy decoded = value == null ? null : reader.readPolicy(accepted.key(), value);
        if (decoded instanceof DecodedPolicy.Pending) {
            return passOverIfSetAnew(accepted);
        }
        if (decoded instanceof DecodedPolicy.Mark mark) {
            gateUnreadable = mark.unreadable();
            waiting = mark.waiting();
            reflectedOffset = Math.max(reflectedOffset, mark.reflectedOffset());
            noteLateChanges(accepted);
            return true;
        }
        collect(accepted.with(decoded));
        return true;
    }

    /**
     * Skips a record that was set anew. Such a record only counts towards its file, so its schema, which may never
     * come, is not awaited.
     */
    private boolean passOverIfSetAnew(Accepted accepted) {
        boolean isSetAnew = newestUndecoded.getOrDefault(accepted.key(), -1L) > accepted.offset();
        if (isSetAnew && !accepted.key().equals(DecodedPolicy.MARK_KEY)) {
            collect(accepted);
        }
        return isSetAnew;
    }

    /** Holds back the records of a file until all of it is in; a record that comes twice counts once. */
    private void collect(Accepted accepted) {
        String applyId = EbbHeaders.text(accepted.headers(), EbbHeaders.APPLY_ID);
        if (applyId == null) {
            apply(accepted);
            return;
        }
        Map<String, Accepted> records = incomplete.computeIfAbsent(applyId, id -> new LinkedHashMap<>());
        records.put(accepted.key(), accepted);
        if (records.size() >= EbbHeaders.number(accepted.headers(), EbbHeaders.APPLY_COUNT, 1)) {
            incomplete.remove(applyId);
            records.values().forEach(this::apply);
        }
    }

    private void apply(Accepted accepted) {
        version = Math.max(version, accepted.version());
        if (!accepted.isUnread()) {
            reflectedOffset = Math.max(reflectedOffset, accepted.reflectedOffset());
            noteLateChanges(accepted);
            // The rest of an old file comes last at a start, and must not replace later records.
            if (isNewest(accepted)) {
                change(accepted);
            }
        }
    }

    private void noteLateChanges(Accepted accepted) {
        lateChanges = Math.max(lateChanges, EbbHeaders.number(accepted.headers(), EbbHeaders.LATE_CHANGES, 0));
    }

    /** Puts a record into force. A bad record, which the gate would not let through, leaves the former one in force. */
    private void change(Accepted accepted) {
        if (!accepted.isGood()) {
            lose(accepted);
            return;
        }
        PolicyKey key = PolicyKey.parse(accepted.key());
        newest.put(accepted.key(), accepted);
        PolicyEdit edit = accepted.edit();
        List<Touch> known = changes(key, accepted);
        // A removal may have lost its former values. The settings of the first start replace none, since those of this
        // instance were never in force.
        policies = known.isEmpty() && edit.settings() == null
                ? policies.with(edit, accepted.version(), version, accepted.timestampMs())
                : policies.with(edit, accepted.version(), version, accepted.timestampMs(), known);
        holds.accept(key, accepted);
        areSettingsUnreadable &= !key.isSettings();
        if (key.isSettings() && !policies.settings().equals(configured)) {
            LOG.atWarn()
                    .addKeyValue("settings", configured.differencesFrom(policies.settings()))
                    .log("settings of this instance are not in force");
        }
    }

    /** Notes a record that stays without effect; the one that it replaces may have gone from the topic. */
    private void lose(Accepted accepted) {
        areSettingsUnreadable |= accepted.key().equals(PolicyKey.SETTINGS.toString());
        holds.lose(accepted);
    }

    /**
     * Returns the changes of the key as its record names them: compaction has removed the records to compare with, and
     * a record may have been sent again unchanged. A hold whose scope cannot be read may have covered anything.
     */
    private List<Touch> changes(PolicyKey key, Accepted accepted) {
        List<Touch> changes = new ArrayList<>();
        PolicyEdit after = accepted.edit();
        for (FormerValue former : FormerValue.read(accepted.headers())) {
            FormerPolicy replaced = decoded(key, former);
            PolicyEdit before = replaced == null ? null : replaced.before();
            Scope touched = before == null ? key.scope() : before.touched();
            boolean freesOwnTtl = before == null || after == null || after.freesOwnTtl(before);
            Change change = new Change(key, former.version(), former.changedMs(), freesOwnTtl);
            changes.add(new Touch(Objects.requireNonNullElse(touched, Scope.ALL), change));
            after = before;
        }
        return changes;
    }

    private boolean isNewest(Accepted accepted) {
        Accepted known = newest.get(accepted.key());
        return known == null || known.offset() < accepted.offset();
    }

    private void publish() {
        PolicyEdition edition = new PolicyEdition(version, lateChanges);
        if (!policies.edition().equals(edition)) {
            policies = policies.with(edition);
        }
        view = new PolicyView(
                policies, reflectedOffset, unreadable(), waiting, spent, holds.newestOffset(), readOffset());
        notifyAll();
    }

    private @Nullable String unreadable() {
        String problem = holds.problem();
        if (problem != null) {
            return problem;
        }
        if (areSettingsUnreadable) {
            return "the settings in force: " + SettingsJson.UNREADABLE;
        }
        return hasUndecoded || !undecoded.isEmpty() ? "an accepted policy cannot be read yet" : gateUnreadable;
    }

    /**
     * Returns the offset up to which all is read. It stands still while a record, which may be a hold, waits for its
     * schema or file.
     */
    private long readOffset() {
        return undecoded.isEmpty() && incomplete.isEmpty() ? seenOffset : view.readOffset();
    }
}
