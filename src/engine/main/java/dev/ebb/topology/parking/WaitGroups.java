package dev.ebb.topology.parking;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.Wait;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.parking.ParkedRecords;
import dev.ebb.store.parking.ParkedStream;
import dev.ebb.topology.observe.TaskStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Streams with waiting records, grouped by the thing that they wait for: which groups are asked about next, and which
 * have their turn. Not thread-safe.
 */
public final class WaitGroups {

    private final ParkedRecords parked;
    private final RecordReader reader;
    private final Map<String, WaitGroup> groups = new HashMap<>();
    private final Deque<WaitGroup> waiting = new ArrayDeque<>();
    private final Deque<WaitGroup> ready = new ArrayDeque<>();

    WaitGroups(ParkedRecords parked, RecordReader reader) {
        this.parked = parked;
        this.reader = reader;
        for (ParkedStream stream : parked.inOrder()) {
            join(stream, stream.waitsFor());
        }
        // Work on their streams may have ended before this task began.
        streamsGoOn();
    }

    /** Tries again the records that wait for work on their streams, which may be done by now. */
    public void streamsGoOn() {
        groups.values().stream()
                .filter(group -> group.waitsFor().kind() == Wait.Kind.STREAM)
                .forEach(this::wake);
    }

    /**
     * Returns the things that most records wait for, the largest numbers first, without records whose reason to wait is
     * not known yet.
     */
    public List<TaskStatus.Parked> biggest(int most) {
        return groups.values().stream()
                .sorted(Comparator.comparingLong(WaitGroup::records).reversed())
                .limit(most)
                .map(group ->
                        new TaskStatus.Parked(group.waitsFor(), group.streams().size(), group.records()))
                .toList();
    }

    /** Returns the streams that a command means, in the order in which they began to wait. */
    public List<ParkedStream> meantBy(Command.OfParked command) {
        StreamName name = command.stream();
        if (name != null) {
            ParkedStream stream = parked.find(name.value().getBytes(StandardCharsets.UTF_8));
            return stream != null && isMeant(stream, command) ? List.of(stream) : List.of();
        }
        if (command.schema() == null) {
            return parked.inOrder();
        }
        WaitGroup group = groups.get(Wait.SCHEMA + command.schema());
        return group == null ? List.of() : List.copyOf(group.streams());
    }

    /** Returns true if the command means the first record of the stream; false if none waits. */
    public boolean isMeant(ParkedStream stream, Command.OfParked command) {
        return stream.records() > 0
                && (command.schema() == null || stream.waitsFor().what().equals(Wait.SCHEMA + command.schema()));
    }

    /**
     * Returns the coordinates of the first record of the stream: topic, partition and offset with slashes between them;
     * empty if the record is lost.
     */
    public String coordinatesOfFirst(ParkedStream stream) {
        InputRecord record = parked.first(stream);
        return record == null ? "" : record.topic() + "/" + record.partition() + "/" + record.offset();
    }

    /** Asks again for the thing that the stream waits for; the stream is tried again at once. */
    public void retry(ParkedStream stream) {
        retry(of(stream));
    }

    /** Asks again for everything that streams wait for; all are tried again at once. */
    public void askAgain() {
        groups.values().forEach(this::retry);
    }

    private void retry(WaitGroup group) {
        reader.askAgain(group.waitsFor());
        group.tryAtOnce();
        if (group.waitsFor().kind() == Wait.Kind.STREAM) {
            wake(group);
        }
    }

    WaitGroup of(ParkedStream stream) {
        WaitGroup group = groups.get(stream.waitsFor().what());
        if (group == null) {
            throw new IllegalStateException(stream.key() + " waits for " + stream.waitsFor() + " in no group");
        }
        return group;
    }

    /** Counts a record that has come last in its stream. */
    void added(ParkedStream stream) {
        if (stream.records() == 1) {
            join(stream, stream.waitsFor());
        } else {
            of(stream).countRecords(1);
        }
    }

    /** Removes the first record of the stream, which stays in its group. */
    void removeFirst(ParkedStream stream) {
        parked.removeFirst(stream);
        of(stream).countRecords(-1);
    }

    private void join(ParkedStream stream, Wait wait) {
        WaitGroup group = groups.get(wait.what());
        if (group == null) {
            group = new WaitGroup(wait);
            groups.put(wait.what(), group);
            waiting.add(group);
        }
        group.add(stream);
    }

    /** Removes the stream from its group; a group that becomes empty leaves its queue when its turn comes there. */
    void leave(ParkedStream stream) {
        WaitGroup group = of(stream);
        group.remove(stream);
        if (group.isEmpty()) {
            groups.remove(group.waitsFor().what(), group);
        }
    }

    /** Lets the next record of the stream be tried soon; it need not wait for the same thing as the former one. */
    void waitForTurn(ParkedStream stream) {
        move(stream, Wait.TURN);
        wake(of(stream));
    }

    private void move(ParkedStream stream, Wait wait) {
        leave(stream);
        parked.waitsFor(stream, wait);
        join(stream, wait);
    }

    /** Notes that the first record of the stream was tried and still has to wait. */
    void stillWaits(ParkedStream stream, Wait wait, long nowMs) {
        WaitGroup group = of(stream);
        if (group.waitsFor().what().equals(wait.what())) {
            ready.remove(group);
            group.waitsFor(wait);
            group.failed(nowMs);
        } else {
            move(stream, wait);
        }
    }

    /** Lets the next stream go first, and the next group before that. */
    void putLast(ParkedStream stream) {
        WaitGroup group = of(stream);
        group.putLast(stream);
        ready.remove(group);
        ready.add(group);
    }

    boolean isAnyReady() {
        return !ready.isEmpty();
    }

    /** Returns the stream whose turn it is; null if none is ready. */
    @Nullable
    ParkedStream nextReady() {
        while (!ready.isEmpty() && ready.element().isEmpty()) {
            ready.remove();
        }
        return ready.isEmpty() ? null : ready.element().first();
    }

    /** Returns the number of groups to look at in one round. */
    int round() {
        return waiting.size();
    }

    /** Looks at the next group of the round. */
    void lookAtNext(long nowMs) {
        WaitGroup group = waiting.remove();
        if (group.isEmpty()) {
            return;
        }
        waiting.add(group);
        look(group, nowMs);
    }

    /** Lets the group be taken up if it no longer waits, as far as that is known without a try. */
    void look(WaitGroup group, long nowMs) {
        if (group.isReady() || !group.isTried(nowMs) || group.waitsFor().kind() == Wait.Kind.STREAM) {
            return;
        }
        Wait now = isAboutSchema(group.waitsFor()) ? reader.stillWaits(group.waitsFor()) : null;
        if (now == null) {
            ready(group);
        } else {
            group.waitsFor(now);
        }
    }

    private static boolean isAboutSchema(Wait wait) {
        return wait.kind() != Wait.Kind.POLICIES && wait.kind() != Wait.Kind.TURN;
    }

    private void wake(WaitGroup group) {
        group.tryAtOnce();
        ready(group);
    }

    private void ready(WaitGroup group) {
        if (!group.isReady()) {
            group.ready();
            ready.add(group);
        }
    }
}
