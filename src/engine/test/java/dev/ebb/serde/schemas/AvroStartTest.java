package dev.ebb.serde.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serializer;
import org.junit.jupiter.api.Test;

class AvroStartTest {

    private static final SerializationException REFUSED = new SerializationException(
            "refused", new SchemaRefusedException("an artifact with this ID already exists", new RuntimeException()));

    private final AtomicInteger calls = new AtomicInteger();

    /** As Apicurio answers while it reads what it holds: it has the schema and does not know it yet. */
    @Test
    void shouldTryAgainWhereARegistryThatComesBackRefusesASchema() {
        start(Duration.ofSeconds(30)).run(refusing(3), (topic, bytes) -> "");

        assertThat(calls).hasValueGreaterThan(EbbSchemas.all().size());
    }

    @Test
    void shouldEndWithTheRefusalIfItStays() {
        assertThatThrownBy(() -> start(Duration.ofMillis(50)).run(refusing(Integer.MAX_VALUE), (topic, bytes) -> ""))
                .isSameAs(REFUSED);
        assertThat(calls).hasValueGreaterThan(1);
    }

    private static AvroStart start(Duration patience) {
        return new AvroStart(null, patience);
    }

    private Serializer<Object> refusing(int times) {
        return (topic, record) -> {
            if (calls.incrementAndGet() <= times) {
                throw REFUSED;
            }
            return new byte[0];
        };
    }
}
