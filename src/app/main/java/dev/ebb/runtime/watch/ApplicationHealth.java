package dev.ebb.runtime.watch;

import dev.ebb.port.HealthSource;
import dev.ebb.topology.observe.ClockWatch;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;

/**
 * Answers from the progress of the start and the state of Kafka Streams.
 *
 * @param waitingFor returns the reason why the start is not over yet; null if it is
 * @param isServing returns true if partitions can be read here, even if others come or go
 * @param clock the watch of the clock; its problem is shown, but requests are answered all the same
 * @param failures returns the failures of the last minutes that the instance has survived; null if there are none
 * @param exhaustion returns the reason why the instance cannot do its work although it runs: a full heap, requests that
 *     are not answered; null if there is none
 */
public record ApplicationHealth(
        Supplier<@Nullable String> waitingFor,
        Supplier<KafkaStreams.State> state,
        BooleanSupplier isServing,
        ClockWatch clock,
        Supplier<@Nullable String> failures,
        Supplier<@Nullable String> exhaustion)
        implements HealthSource {

    /** An instance that waits is alive: a restart would not help. */
    @Override
    public Health live() {
        return switch (state.get()) {
            case PENDING_ERROR, ERROR -> new Health(false, "the streams have failed");
            default -> new Health(true, text());
        };
    }

    @Override
    public Health ready() {
        String exhausted = exhaustion.get();
        boolean isRunning = waitingFor.get() == null && isServing.getAsBoolean();
        return new Health(isRunning && exhausted == null, exhausted == null ? text() : exhausted + "; " + text());
    }

    @Override
    public Health started() {
        return new Health(waitingFor.get() == null, text());
    }

    private String stopped() {
        String problem = clock.problem();
        return problem == null ? "" : "; sweeping is stopped: " + problem;
    }

    private String failed() {
        String recent = failures.get();
        return recent == null ? "" : "; " + recent;
    }

    private String text() {
        String reason = waitingFor.get();
        if (reason != null) {
            return "waiting for " + reason;
        }
        return switch (state.get()) {
            case RUNNING -> "running" + stopped() + failed();
            case REBALANCING -> "partitions are being assigned or restored" + failed();
            case NOT_RUNNING -> "drained: others keep its partitions; stop it, or restart it to bring it back";
            default -> "the streams are " + state.get();
        };
    }
}
