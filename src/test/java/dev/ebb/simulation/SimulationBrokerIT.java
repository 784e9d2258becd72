package dev.ebb.simulation;

import dev.ebb.model.SeededCases;
import dev.ebb.runtime.KafkaClients;
import dev.ebb.runtime.SharedStack;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The walks of the simulation, fewer and shorter, over topics and transactions of a real broker: the laws hold there too,
 * so the model of the broker is fair.
 */
@Tag("I-7")
@Timeout(300)
class SimulationBrokerIT {

    private static final int WALKS = 3;
    private static final int STEPS = 250;

    private final Map<String, Object> connection = new KafkaClients(SharedStack.config(Map.of())).properties();

    @Test
    void shouldHoldTheLawsOverARealBroker() {
        SeededCases.forAFew(WALKS, random -> {
            long seed = random.nextLong();
            try (KafkaBroker broker = new KafkaBroker(connection, "walk" + Long.toHexString(seed) + ".")) {
                Simulation.walk(seed, Mix.ALL, STEPS, broker);
            }
        });
    }
}
