package dev.ebb.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.Wait;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.records.Decoded;
import dev.ebb.serde.schemas.AvroStart;
import dev.ebb.serde.schemas.BackgroundSchemas;
import dev.ebb.serde.schemas.EbbAvroDeserializer;
import dev.ebb.serde.schemas.EbbAvroSerializer;
import dev.ebb.serde.schemas.PatientDeserializer;
import dev.ebb.serde.schemas.SchemaPendingException;
import dev.ebb.serde.schemas.SchemaQuestions;
import dev.ebb.serde.schemas.WaitingSchemas;
import dev.ebb.serde.schemas.WireFormat;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.InterruptException;
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

/** Serdes of another maker, named in the settings. */
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
    private final AvroRecords records = new AvroRecords(
            new PatientDeserializer(foreign, BackgroundSchemas.Patience.DEFAULT), serializer, new AvroStart(null));

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
        Decoded later = readUntil(bytes, answer -> foreign.hasRunOn("ebb-deserializer-"));
        foreign.failWith(new SerializationException("Schema 100 not found; error code: 40403"));
        Decoded last = readUntil(bytes, answer -> answer instanceof Decoded.Bad);

        // then
        assertThat(first).isInstanceOf(Decoded.Pending.class);
        assertThat(later).isInstanceOf(Decoded.Pending.class);
        assertThat(((Decoded.Bad) last).rejection().reason()).isEqualTo(RejectReason.UNKNOWN_SCHEMA);
    }

    @Test
    @Tag("O-20")
    void shouldTryAgainAtOnceWhenItIsTold() {
        // given: the registry is asked again in five minutes
        Duration late = Duration.ofMinutes(5);
        byte[] bytes = records.event(EVENT);
        var patience = new BackgroundSchemas.Patience(late, late, late, late, late);
        try (PatientDeserializer patient = new PatientDeserializer(foreign, patience)) {
            foreign.failWith(new SerializationException("no answer", new SocketTimeoutException("read timed out")));
            Wait wait = SchemaQuestions.waitFor(WireFormat.schemaId(bytes));
            assertThatThrownBy(() -> patient.deserialize("ebb.events", new RecordHeaders(), bytes))
                    .isInstanceOf(SchemaPendingException.class);
            await(() -> patient.stillWaits(wait).kind() == Wait.Kind.REGISTRY_AWAY);
            foreign.failWith(null);

            // when
            patient.askAgain(wait);

            // then
            await(() -> patient.stillWaits(wait) == null);
            assertThat(patient.deserialize("ebb.events", new RecordHeaders(), bytes))
                    .isNotNull();
        }
    }

    @Test
    @Tag("S-6")
    void shouldFindARecordBadThatIsTooDeepForTheStack() {
        // given
        byte[] bytes = records.event(EVENT);
        foreign.failWith(new StackOverflowError());

        // when
        Decoded decoded = readUntil(bytes, answer -> !(answer instanceof Decoded.Pending));

        // then
        assertThat(((Decoded.Bad) decoded).rejection().reason()).isEqualTo(RejectReason.UNDECODABLE);
    }

    @Test
    @Tag("S-6")
    void shouldNotLetOneSlowAnswerHoldUpAnother() {
        // given
        byte[] slow = records.event(EVENT);
        slow[4] = 100;
        foreign.block(100);
        read(slow);

        // when
        Decoded decoded = readUntil(records.event(EVENT), answer -> !(answer instanceof Decoded.Pending));

        // then
        assertThat(decoded).isEqualTo(new Decoded.OfEvent(EVENT));
        assertThat(read(slow)).isInstanceOf(Decoded.Pending.class);
        foreign.unblock();
    }

    @Test
    @Tag("A-8")
    void shouldKeepNoMoreRecordsThanFitWhileTheRegistryIsAway() {
        // given: more bytes than it may keep, each record with an id of its own
        foreign.failWith(new SerializationException("no answer", new SocketTimeoutException("read timed out")));
        byte[] first = largeRecord(101);
        assertThat(read(first)).isInstanceOf(Decoded.Pending.class);
        for (int id = 102; id <= 108; id++) {
            read(largeRecord(id));
        }

        // when
        Decoded decoded = read(largeRecord(109));

        // then: the ninth is pending and not tried, until there is room again
        assertThat(((Decoded.Pending) decoded).waitsFor()).isEqualTo(SchemaQuestions.waitFor(109));
        assertThat(records.stillWaits(SchemaQuestions.waitFor(108))).isNotNull();
        assertThat(records.stillWaits(SchemaQuestions.waitFor(109))).isNull();
        foreign.failWith(new SerializationException("Schema not found; error code: 40403"));
        await(() -> records.stillWaits(SchemaQuestions.waitFor(101)) == null);
        assertThat(readUntil(largeRecord(109), answer -> answer instanceof Decoded.Bad))
                .isNotNull();
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

    /** Eight of them are as much as may be kept. */
    private static byte[] largeRecord(int id) {
        byte[] bytes = new byte[8 << 20];
        bytes[4] = (byte) id;
        return bytes;
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
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

    /** Failure that Avro throws for a number that never ends. */
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
        private final CountDownLatch unblocked = new CountDownLatch(1);
        private volatile int blockedId = -1;
        private volatile Throwable failure;
        private volatile Object value;

        ScriptedDeserializer(Deserializer<Object> delegate) {
            this.delegate = delegate;
        }

        void failWith(Throwable e) {
            failure = e;
        }

        boolean hasRunOn(String prefix) {
            return threads.stream().anyMatch(name -> name.startsWith(prefix));
        }

        /** Lets no record with this schema come to an end before {@link #unblock}. */
        void block(int id) {
            blockedId = id;
        }

        void unblock() {
            unblocked.countDown();
        }

        void give(Object result) {
            value = result;
        }

        @Override
        public Object deserialize(String topic, byte[] data) {
            if (failure != null) {
                threads.add(Thread.currentThread().getName());
                throwFailure();
            }
            if (WireFormat.schemaId(data) == blockedId) {
                blocked();
            }
            return value != null ? value : delegate.deserialize(topic, data);
        }

        private void blocked() {
            try {
                unblocked.await();
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        }

        private void throwFailure() {
            Throwable e = failure;
            if (e instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e;
        }

        @Override
        public void close() {
            delegate.close();
        }
    }
}
