package dev.ebb.runtime.streams;

import dev.ebb.port.Departure;
import dev.ebb.runtime.life.LifecycleObserver;
import java.time.Duration;

/** Leaves the group by ending Kafka Streams; the process continues, and answers that it has left. */
public record GroupDeparture(StreamsInstance streams, LifecycleObserver observer) implements Departure {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

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
