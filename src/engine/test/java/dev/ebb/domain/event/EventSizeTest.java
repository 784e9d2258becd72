package dev.ebb.domain.event;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.model.SeededCases;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Payload and all texts in UTF-8, and 64. */
class EventSizeTest {

    private static final int[] CODE_POINTS = {0, 'a', 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF};

    @Test
    void shouldCountPayloadAndAllTexts() {
        Event event = event("12", "345")
                .type("6789")
                .status("12345")
                .correlationId("123456")
                .contentType("1234567")
                .metadata(Map.of("a", "bc", "d", ""))
                .payloadBytes(100)
                .build();

        assertThat(event.sizeBytes()).isEqualTo(64 + 100 + 2 + 3 + 4 + 5 + 6 + 7 + 4);
    }

    @Test
    void shouldCountNothingForWhatIsNotThere() {
        assertThat(event("s", "e").type("").payloadBytes(0).build().sizeBytes()).isEqualTo(64 + 2);
    }

    @Test
    void shouldCountTextsAsUtf8WritesThem() {
        SeededCases.forAll(1000, random -> {
            String type = text(random);
            String status = text(random);
            String correlationId = text(random);
            Map<String, String> metadata = new HashMap<>();
            metadata.put(text(random), text(random));
            metadata.put(text(random), text(random));
            Event event = event("é/漢", "\uD83D\uDE80")
                    .type(type)
                    .status(status)
                    .correlationId(correlationId)
                    .contentType(text(random))
                    .metadata(metadata)
                    .payloadBytes(random.nextInt(10))
                    .build();

            long expected = 64 + event.payload().length + bytes("é/漢") + bytes("\uD83D\uDE80") + bytes(type);
            expected += bytes(status) + bytes(correlationId) + bytes(event.contentType());
            for (var entry : metadata.entrySet()) {
                expected += bytes(entry.getKey()) + bytes(entry.getValue());
            }

            assertThat(event.sizeBytes()).isEqualTo(expected);
        });
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(8); left > 0; left--) {
            text.appendCodePoint(CODE_POINTS[random.nextInt(CODE_POINTS.length)]);
        }
        return text.toString();
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
