package dev.ebb.store.state;

import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.store.index.Agenda;
import dev.ebb.store.index.Mark;
import dev.ebb.store.layout.UsageKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;

/** Holds the indexes by which streams are found against the records of the streams. Stateless. */
public final class IndexProbe {

    private static final PolicySet NONE = PolicySet.empty(new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE));

    private IndexProbe() {}

    /**
     * Returns what is wrong with the indexes; empty if nothing is.
     *
     * @param usage all records of the usage store, right after a commit
     */
    public static List<String> problems(NavigableMap<Bytes, byte[]> usage) {
        TreeSet<String> wanted = new TreeSet<>();
        TreeSet<String> found = new TreeSet<>();
        usage.forEach((key, value) -> {
            if (UsageKeys.isStream(key)) {
                want(
                        UsageKeys.streamOf(key).value(),
                        StateCodec.decode(UsageKeys.streamOf(key), NONE.effective(UsageKeys.streamOf(key)), value),
                        wanted);
            } else {
                find(key, value, found);
            }
        });
        List<String> problems = new ArrayList<>();
        wanted.stream().filter(entry -> !found.contains(entry)).forEach(entry -> problems.add("no " + entry));
        found.stream().filter(entry -> !wanted.contains(entry)).forEach(entry -> problems.add("wrong " + entry));
        return problems;
    }

    private static void want(String name, StreamState stream, TreeSet<String> wanted) {
        wanted.add("name " + stream.sid() + " " + name);
        if (stream.wakeMs() != Agenda.NEVER) {
            wanted.add("wake-up " + stream.sid() + " at " + stream.wakeMs());
        }
        for (Mark mark : Mark.values()) {
            if ((stream.marks() & mark.bit()) != 0) {
                wanted.add("mark " + KINDS.get(mark) + " " + stream.sid());
            }
        }
    }

    private static final Map<Mark, Byte> KINDS = new HashMap<>(Map.of(
            Mark.MOVING, UsageKeys.MOVING,
            Mark.WORKING, UsageKeys.WORKING,
            Mark.QUARANTINED, UsageKeys.QUARANTINED,
            Mark.WARNED, UsageKeys.WARNED,
            Mark.UNMIRRORED, UsageKeys.UNMIRRORED));

    private static void find(Bytes key, byte[] value, TreeSet<String> found) {
        byte kind = UsageKeys.kindOf(key);
        if (kind == UsageKeys.SID) {
            found.add("name " + UsageKeys.sidOfNumbered(key) + " " + new String(value, StandardCharsets.UTF_8));
        } else if (kind == UsageKeys.WAKE_UP) {
            found.add("wake-up " + UsageKeys.sidOfWakeUp(key) + " at " + UsageKeys.timeOfWakeUp(key));
        } else if (KINDS.containsValue(kind)) {
            found.add("mark " + kind + " " + UsageKeys.sidOfNumbered(key));
        }
    }

    /** Returns true if the store looks at the stream in time, which is in memory. */
    public static boolean isFiled(StreamState stream) {
        return !stream.isCached() || stream.firstWorkMs() >= stream.wakeMs() || stream.wakeMs() <= 0;
    }

    /**
     * Returns true if the store looks at the stream in time, wherever the stream is, once changes of policies have been
     * followed. A copy does not tell how long caps take nothing, and {@code keepLast} keeps what is due.
     */
    public static boolean isFiledAtRest(StreamState stream) {
        boolean tells = !stream.isCached()
                && stream.policy().isEnforced()
                && stream.policy().keepLast().value().isNone();
        return isFiled(stream) && (!tells || stream.firstDueMs() >= stream.wakeMs());
    }
}
