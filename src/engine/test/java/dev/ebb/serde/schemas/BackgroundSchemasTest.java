package dev.ebb.serde.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.Wait;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Questions to the registry, how often they are asked, and which answers are remembered. */
@Tag("O-20")
class BackgroundSchemasTest {

    private static final String RECORD = "{\"type\":\"record\",\"name\":\"R\",\"fields\":[]}";
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final BackgroundSchemas.Patience PATIENT =
            new BackgroundSchemas.Patience(LONG, LONG, LONG, LONG, LONG);

    private final Map<Integer, Callable<Optional<String>>> answers = new ConcurrentHashMap<>();
    private final Map<Integer, AtomicInteger> questions = new ConcurrentHashMap<>();
    private final BackgroundSchemas schemas = new BackgroundSchemas(new FakeRegistry(), PATIENT);

    @AfterEach
    void close() {
        schemas.close();
    }

    @Test
    @Tag("S-6")
    void shouldNotLetOneSlowAnswerHoldUpAnother() throws InterruptedException {
        // given
        CountDownLatch never = new CountDownLatch(1);
        answers.put(1, () -> {
            never.await();
            return Optional.empty();
        });
        answers.put(2, () -> Optional.of(RECORD));

        // when
        pending(1);
        pending(2);

        // then
        await(() -> schemas.stillWaits(SchemaQuestions.waitFor(2)) == null);
        assertThat(schemas.reader(2)).isNotNull();
        assertThat(schemas.stillWaits(SchemaQuestions.waitFor(1))).isEqualTo(Wait.of("schema 1"));
        never.countDown();
    }

    @Test
    void shouldAskOnceHoweverManyRecordsWait() throws InterruptedException {
        // given
        answers.put(1, () -> {
            throw new IOException("away");
        });

        // when
        for (int i = 0; i < 1000; i++) {
            pending(1);
        }
        await(() -> kindOf(1) == Wait.Kind.REGISTRY_AWAY);
        for (int i = 0; i < 1000; i++) {
            pending(1);
        }

        // then
        assertThat(questions.get(1)).hasValue(1);
        assertThat(schemas.stillWaits(SchemaQuestions.waitFor(1)).problem()).isEqualTo("away");
    }

    @Test
    void shouldAskAgainAtOnceWhenItIsTold() throws InterruptedException {
        // given one that the registry cannot give whole, which then it can
        answers.put(1, () -> {
            throw new SchemaProblemException(Wait.Kind.SCHEMA_UNUSABLE, "a reference is gone", new IOException("gone"));
        });
        pending(1);
        await(() -> kindOf(1) == Wait.Kind.SCHEMA_UNUSABLE);
        answers.put(1, () -> Optional.of(RECORD));

        // when
        schemas.askAgain(SchemaQuestions.waitFor(1));

        // then
        await(() -> schemas.stillWaits(SchemaQuestions.waitFor(1)) == null);
        assertThat(schemas.reader(1)).isNotNull();
    }

    @Test
    void shouldForgetARefusalWhenItIsTold() throws InterruptedException {
        // given
        answers.put(1, Optional::empty);
        pending(1);
        await(() -> schemas.stillWaits(SchemaQuestions.waitFor(1)) == null);
        assertThatThrownBy(() -> schemas.reader(1)).isInstanceOf(UnknownSchemaException.class);
        answers.put(1, () -> Optional.of(RECORD));

        // when
        schemas.askAgain(SchemaQuestions.waitFor(1));

        // then
        await(() -> schemas.stillWaits(SchemaQuestions.waitFor(1)) == null);
        assertThat(schemas.reader(1)).isNotNull();
    }

    @Test
    void shouldKeepWhatItKnowsWhateverItIsTold() throws InterruptedException {
        // given
        answers.put(1, () -> Optional.of(RECORD));
        pending(1);
        await(() -> schemas.stillWaits(SchemaQuestions.waitFor(1)) == null);

        // when
        schemas.askAgain(SchemaQuestions.waitFor(1));

        // then
        assertThat(schemas.reader(1)).isNotNull();
        assertThat(questions.get(1)).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\":\"n\",\"type\":\"int\",\"default\":\"0\"}",
                "{\"name\":\"n\",\"type\":\"int\",\"default\":null}"
            })
    void shouldReadWithASchemaWhoseDefaultsAreWrong(String field) throws InterruptedException {
        // given: no default takes part in reading with the schema that a record was written with
        answers.put(1, () -> Optional.of("{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + field + "]}"));

        // when
        pending(1);

        // then
        await(() -> schemas.stillWaits(SchemaQuestions.waitFor(1)) == null);
        assertThat(schemas.reader(1)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\":\"n\",\"type\":\"int\"},{\"name\":\"n\",\"type\":\"int\"}",
                "{\"name\":\"n\",\"type\":[\"int\",\"int\"]}",
                "{\"name\":\"n\",\"type\":\"nothing\"}"
            })
    void shouldRefuseATextThatIsNoSchemaForWhateverReason(String fields) throws InterruptedException {
        // given
        answers.put(1, () -> Optional.of("{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + fields + "]}"));

        // when
        pending(1);

        // then
        await(() -> schemas.stillWaits(SchemaQuestions.waitFor(1)) == null);
        assertThatThrownBy(() -> schemas.reader(1))
                .isInstanceOf(SerializationException.class)
                .isNotInstanceOf(SchemaPendingException.class)
                .hasMessageContaining("schema 1 is not an Avro schema");
    }

    @Test
    void shouldAskAgainAfterAnyErrorOfTheRegistry() throws InterruptedException {
        // given
        answers.put(1, () -> {
            throw new StackOverflowError();
        });

        // when
        pending(1);

        // then
        await(() -> kindOf(1) == Wait.Kind.REGISTRY_AWAY);
    }

    @Test
    @Tag("A-8")
    void shouldMakeRoomForGoodSchemasAmongThoseThatTheRegistryDoesNotHave() throws InterruptedException {
        // given as many as it may remember
        for (int id = 1; id <= 10_000; id++) {
            int unknown = id;
            answers.put(unknown, Optional::empty);
            pending(unknown);
        }
        await(() -> schemas.stillWaits(SchemaQuestions.waitFor(10_000)) == null);
        answers.put(10_001, () -> Optional.of(RECORD));

        // when
        pending(10_001);

        // then
        await(() -> questions.containsKey(10_001) && schemas.stillWaits(SchemaQuestions.waitFor(10_001)) == null);
        assertThat(schemas.reader(10_001)).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "REGISTRY_AWAY, 0, 200", "REGISTRY_AWAY, 1, 400", "REGISTRY_AWAY, 30, 10000",
        "SCHEMA_UNUSABLE, 1, 400", "SCHEMA_UNUSABLE, 30, 120000", "NOT_ALLOWED, 30, 120000"
    })
    void shouldAskMoreAndMoreSeldom(Wait.Kind kind, int attempt, long ms) {
        assertThat(BackgroundSchemas.Patience.DEFAULT.retryMs(attempt, kind)).isEqualTo(ms);
    }

    @ParameterizedTest
    @CsvSource({"0, 30", "1, 60", "4, 480", "5, 600", "40, 600"})
    @Tag("S-6")
    void shouldBelieveARefusalForLongerEachTime(int before, long seconds) {
        assertThat(BackgroundSchemas.Patience.DEFAULT.refusal(before)).isEqualTo(Duration.ofSeconds(seconds));
    }

    private void pending(int id) {
        assertThatThrownBy(() -> schemas.reader(id)).isInstanceOf(SchemaPendingException.class);
    }

    private Wait.Kind kindOf(int id) {
        Wait wait = schemas.stillWaits(SchemaQuestions.waitFor(id));
        return wait == null ? null : wait.kind();
    }

    private static void await(Callable<Boolean> condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (System.nanoTime() < end) {
            try {
                if (condition.call()) {
                    return;
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
        throw new AssertionError("it does not happen");
    }

    private final class FakeRegistry implements SchemaRegistry {

        @Override
        public Optional<String> find(int id) throws IOException {
            questions.computeIfAbsent(id, same -> new AtomicInteger()).incrementAndGet();
            try {
                return answers.get(id).call();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }

        @Override
        public int register(String subject, String schema) {
            throw new UnsupportedOperationException(subject);
        }

        @Override
        public void requireCompatibility(String subject, Compatibility compatibility) {
            throw new UnsupportedOperationException(subject);
        }

        @Override
        public void close() {}
    }
}
