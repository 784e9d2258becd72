package dev.ebb.simulation;

import dev.ebb.runtime.SharedStack;
import dev.ebb.runtime.kafka.KafkaClients;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The walks of the simulation, fewer and shorter, over topics and transactions of a real broker: the laws hold there too,
 * so the model of the broker is fair.
 */
@Tag("I-7")
@Timeout(300)
class SimulationBrokerIT {

    private static final int STEPS = 250;

    private final Map<String, Object> connection = new KafkaClients(SharedStack.config(Map.of())).properties();

    /** With the first of them a broker that commits what was to be aborted breaks a law (I-4). */
    @ParameterizedTest
    @ValueSource(longs = {7, 8, 9})
    void shouldHoldTheLawsOverARealBroker(long seed) {
        String prefix = "walk" + seed + "-" + System.currentTimeMillis() + ".";
        try (KafkaBroker broker = new KafkaBroker(connection, prefix)) {
            Simulation.walk(seed, Mix.ALL, STEPS, broker);
        }
    }
}
