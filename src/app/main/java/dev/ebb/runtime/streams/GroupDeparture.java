package dev.ebb.runtime.streams;

import dev.ebb.port.Departure;
import dev.ebb.runtime.life.LifecycleObserver;
import java.time.Duration;

/** Leaves the group by ending Kafka Streams; the process continues, and answers that it has left. */
public final class GroupDeparture implements Departure {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final StreamsInstance streams;
    private final LifecycleObserver observer;

    public GroupDeparture(StreamsInstance streams, LifecycleObserver observer) {
        this.streams = streams;
        this.observer = observer;
    }

    @Override
    public boolean hasLeft() {
        return streams.hasLeft();
    }

    @Override
    public boolean leave() {
        observer.leaving();
        boolean isInTime = streams.leave(TIMEOUT);
        if (isInTime) {
            observer.left();
        } else {
            observer.stopTimedOut(TIMEOUT);
        }
        return isInTime;
    }
}
