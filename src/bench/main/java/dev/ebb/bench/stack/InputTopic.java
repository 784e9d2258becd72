package dev.ebb.bench.stack;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.load.Workload;
import dev.ebb.domain.event.Event;
import java.util.Locale;
import java.util.function.Function;

/** The topic of events, filled with a workload. Immutable. */
public final class InputTopic {

    private final Lane lane;
    private final Workload workload;
    private final Contents expected;
    private final long[] lastOffsets;

    private InputTopic(Lane lane, Workload workload, long[] lastOffsets) {
        this.lane = lane;
        this.workload = workload;
        this.lastOffsets = lastOffsets;
        this.expected = Model.all(workload);
    }

    /** Recreates the topics of the lane and fills this one, with the keys that Ebb expects. */
    public static InputTopic fill(Lane lane, Workload workload) throws InterruptedException {
        return fill(lane, workload, EventSender.BY_STREAM);
    }

    public static InputTopic fill(Lane lane, Workload workload, Function<Event, String> keyOf)
            throws InterruptedException {
        lane.renewAllTopics();
        lane.stack()
                .progress()
                .accept(String.format(
                        Locale.ROOT,
                        "filling %s with %,d events in %,d streams",
                        lane.topics().events(),
                        workload.events(),
                        workload.streams()));
        return new InputTopic(lane, workload, new EventSender(lane, keyOf).send(workload.generator()));
    }

    public Lane lane() {
        return lane;
    }

    public Workload workload() {
        return workload;
    }

    public int records() {
        return workload.events();
    }

    /** Returns the contents of the stores once all events have been taken in. */
    public Contents expected() {
        return expected;
    }

    /** Returns the offset of the last record of each partition; -1 where there is none. */
    public long[] lastOffsets() {
        return lastOffsets.clone();
    }
}
