package dev.ebb.store.layout;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.model.SeededCases;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StoredEventCodecTest {

    private static final String[] TEXTS = {null, "", "completed", "pending", "é漢\uD83D\uDE80", "x".repeat(300)};
    private static final long[] TIMES = {0, 1, 1_800_000_000_000L, Long.MAX_VALUE - 1};

    @Test
    void shouldReadBackWhatItWrote() {
        SeededCases.forAll(3000, random -> {
            StoredEvent stored = randomEvent(random);

            byte[] bytes = StoredEventCodec.encode(stored, stored.sizeBytes());

            assertThat(StoredEventCodec.decode(stored.event().stream(), bytes)).isEqualTo(stored);
            assertThat(StoredEventCodec.decodeHeader(bytes)).isEqualTo(EventHeader.of(stored, stored.sizeBytes()));
        });
    }

    /** The format of the whole state is looked at before, so that this can only be damage, which concerns one stream. */
    @Test
    void shouldTakeAnUnknownFormatOfAnEventForDamage() {
        // given
        StoredEvent stored = event("s", "e").stored(1);
        byte[] bytes = StoredEventCodec.encode(stored, stored.sizeBytes());
        bytes[0] = 3;

        // then
        assertThatThrownBy(() -> StoredEventCodec.decodeHeader(bytes))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("damaged: an event is written in the unknown way 3");
        assertThatThrownBy(() -> StoredEventCodec.decode(stored.event().stream(), bytes))
                .isInstanceOf(IllegalStateException.class);
    }

    /** A size of two billion must not take two billion bytes of memory. */
    @Test
    void shouldReadNothingOfADamagedSize() {
        for (long size : new long[] {4, 5, Integer.MAX_VALUE, Long.MAX_VALUE, -1}) {
            byte[] bytes = new ByteWriter(16).writeVarLong(size).writeInt(7).toBytes();
            ByteReader in = new ByteReader(bytes);
            if (size == 4) {
                assertThat(in.readBytes()).hasSize(4);
            } else {
                assertThatThrownBy(in::readBytes).as("%d bytes", size).hasMessageContaining("damaged");
            }
        }
    }

    @Test
    void shouldReadBackWhereAnEventLies() {
        SeededCases.forAll(1000, random -> {
            Location location = new Location(
                    Range.OF_EVENTS.get(random.nextInt(4)),
                    new Position(random.nextInt(3), time(random), random.nextInt(500)),
                    random.nextBoolean() ? Location.NO_DUE : time(random),
                    random.nextInt(1_000_000));

            assertThat(Location.decode(location.encode())).isEqualTo(location);
        });
    }

    private static StoredEvent randomEvent(Random random) {
        Event event = event("s", "é" + random.nextInt(10))
                .type("t".repeat(random.nextInt(3)))
                .correlationId(text(random))
                .contentType(text(random))
                .metadata(metadata(random))
                .ttl(ttl(random))
                .execution(random.nextInt(3))
                .payloadBytes(random.nextInt(300))
                .build();
        boolean isProtected = random.nextBoolean();
        String status = text(random);
        Event complete = new Event(
                event.stream(),
                event.id(),
                event.type(),
                status,
                time(random),
                isProtected ? null : (Long) time(random),
                event.ttl(),
                event.execution(),
                event.correlationId(),
                event.metadata(),
                event.contentType(),
                event.payload());
        return new StoredEvent(complete, time(random), random.nextInt(1000), isProtected);
    }

    private static OwnTtl ttl(Random random) {
        return switch (random.nextInt(7)) {
            case 0 -> OwnTtl.INFINITE;
            case 1 -> OwnTtl.of(1 + time(random) / 2, null, false);
            case 2 -> OwnTtl.of(null, time(random), false);
            case 3 -> OwnTtl.of(1L, 1L, false);
            case 4 -> OwnTtl.of(null, time(random), false).byCommand();
            case 5 -> OwnTtl.TAKEN_AWAY;
            default -> OwnTtl.NONE;
        };
    }

    private static Map<String, String> metadata(Random random) {
        Map<String, String> metadata = new HashMap<>();
        for (int left = random.nextInt(3); left > 0; left--) {
            metadata.put("k" + left, String.valueOf(text(random)));
        }
        return metadata;
    }

    private static String text(Random random) {
        return TEXTS[random.nextInt(TEXTS.length)];
    }

    private static long time(Random random) {
        return TIMES[random.nextInt(TIMES.length)];
    }
}
