package dev.ebb.serde;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Serdes of somebody else, named in the settings. */
class ForeignSerdesTest {

    private static final Event EVENT = new Event(
            new StreamName("s"),
            new EventId("i"),
            "",
            null,
            null,
            null,
            OwnTtl.NONE,
            0,
            null,
            Map.of(),
            null,
            new byte[0]);

    private final InMemorySchemaRegistry registry = new InMemorySchemaRegistry();
    private final EbbAvroSerializer serializer = new EbbAvroSerializer(registry);
    private final ScriptedDeserializer foreign =
            new ScriptedDeserializer(new EbbAvroDeserializer(new WaitingSchemas(registry)));
    private final AvroRecords records =
            new AvroRecords(new PatientDeserializer(foreign), serializer, new AvroStart(null));

    @BeforeEach
    void prepare() {
        records.prepare();
    }

    @AfterEach
    void close() {
        records.close();
    }

    @Test
    void shouldReadWhatTheForeignDeserializerGives() {
        assertThat(read(records.event(EVENT))).isEqualTo(new Decoded.OfEvent(EVENT));
    }

    @Test
    @Tag("O-20")
    void shouldNotAskOnTheCallingThreadForASchemaThatIsNew() {
        // given: a schema id that no record had before
        byte[] bytes = records.event(EVENT);
        bytes[4] = 100;
        foreign.failWith(new SerializationException("no answer", new SocketTimeoutException("read timed out")));

        // when
        Decoded first = read(bytes);
        Decoded later = readUntil(bytes, answer -> foreign.threads.contains("ebb-deserializer"));
        foreign.failWith(new SerializationException("Schema 100 not found; error code: 40403"));
        Decoded last = readUntil(bytes, answer -> answer instanceof Decoded.Bad);

        // then
        assertThat(first).isInstanceOf(Decoded.Pending.class);
        assertThat(later).isInstanceOf(Decoded.Pending.class);
        assertThat(((Decoded.Bad) last).rejection().reason()).isEqualTo(RejectReason.UNKNOWN_SCHEMA);
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new SerializationException("x", new SocketTimeoutException("timed out")), true),
                Arguments.of(new SerializationException("x", new IOException("Server returned HTTP 503")), true),
                Arguments.of(new DisconnectException("gone"), true),
                Arguments.of(new SerializationException("x", new EOFException()), false),
                Arguments.of(new SerializationException("x", avrosOwn()), false),
                Arguments.of(new SerializationException("Unknown magic byte!"), false),
                Arguments.of(new NullPointerException(), false),
                Arguments.of(new ClassCastException("x"), false));
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Tag("O-20")
    void shouldTellARegistryThatIsAwayFromABadRecord(RuntimeException failure, boolean isPending) {
        // given
        byte[] bytes = records.event(EVENT);
        read(bytes);
        foreign.failWith(failure);

        // when
        Decoded decoded = read(bytes);

        // then
        if (isPending) {
            assertThat(decoded).isInstanceOf(Decoded.Pending.class);
        } else {
            assertThat(((Decoded.Bad) decoded).rejection().reason()).isEqualTo(RejectReason.UNDECODABLE);
        }
    }

    @Test
    @Tag("O-20")
    void shouldRefuseWhatIsNoAvroRecord() {
        // given
        foreign.give("a text");

        // when
        Decoded decoded = read(records.event(EVENT));

        // then
        assertThat(((Decoded.Bad) decoded).rejection().reason()).isEqualTo(RejectReason.WRONG_TYPE);
    }

    private Decoded read(byte[] bytes) {
        return records.read("ebb.events", new RecordHeaders(), bytes);
    }

    private Decoded readUntil(byte[] bytes, Predicate<Decoded> isEnough) {
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        Decoded answer = read(bytes);
        while (!isEnough.test(answer)) {
            assertThat(System.nanoTime()).as("waiting for more than %s", answer).isLessThan(deadline);
            Thread.onSpinWait();
            answer = read(bytes);
        }
        return answer;
    }

    /** What Avro throws for a number that never ends. */
    private static IOException avrosOwn() {
        byte[] endless = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
        BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(new ByteArrayInputStream(endless), null);
        try {
            decoder.readLong();
            throw new AssertionError("Avro takes numbers of any length now");
        } catch (IOException e) {
            return e;
        }
    }

    /** Does what it is told, or else what another one does. */
    private static final class ScriptedDeserializer implements Deserializer<Object> {

        private final Deserializer<Object> delegate;
        private final Set<String> threads = ConcurrentHashMap.newKeySet();
        private volatile RuntimeException failure;
        private volatile Object value;

        ScriptedDeserializer(Deserializer<Object> delegate) {
            this.delegate = delegate;
        }

        void failWith(RuntimeException e) {
            failure = e;
        }

        void give(Object result) {
            value = result;
        }

        @Override
        public Object deserialize(String topic, byte[] data) {
            if (failure != null) {
                threads.add(Thread.currentThread().getName());
                throw failure;
            }
            return value != null ? value : delegate.deserialize(topic, data);
        }

        @Override
        public void close() {
            delegate.close();
        }
    }
}
