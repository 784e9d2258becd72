package dev.ebb.runtime.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.topology.SettingAside;
import dev.ebb.topology.fault.FailedRecords;
import dev.ebb.topology.observe.RetentionObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProductionExceptionHandler.Result;
import org.apache.kafka.streams.errors.ProductionExceptionHandler.SerializationExceptionOrigin;
import org.apache.kafka.streams.processor.TaskId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A record that cannot be sent costs its transaction; the test is that the next transaction gets past the record. */
@Tag("O-20")
class ProductionFailuresTest {

    private static final ProducerRecord<byte[], byte[]> OUT = new ProducerRecord<>("ebb-events-changelog", new byte[9]);

    private final FailedRecords failed = new FailedRecords();
    private final ProductionFailures handler = new ProductionFailures();

    @BeforeEach
    void configure() {
        handler.configure(Map.of(FailedRecords.SETTING, failed));
    }

    @Test
    void shouldRememberTheInputRecordWhoseOutputWasTooBig() {
        // when
        SettingAside.taking(failed, 7, () -> assertFails(new RecordTooLargeException("9 bytes are too many")));

        // then
        assertThat(SettingAside.why(failed, 7))
                .isEqualTo("the output for it to ebb-events-changelog is too big: 9 bytes are too many");
        assertThat(SettingAside.why(failed, 8)).isNull();
    }

    @Test
    void shouldTakeNoRecordForTheCulpritWhereNoneIsTakenIn() {
        // when a sweep fails, or a broker answers later
        assertFails(new RecordTooLargeException("9 bytes are too many"));
        SettingAside.taking(failed, 7, () -> {});

        // then
        assertThat(SettingAside.why(failed, 7)).isNull();
    }

    @Test
    @Tag("T-5")
    void shouldCloseTheTrashThatRefusesARecord() {
        // given
        failed.watchTrash("ebb.trash");

        // when another topic refuses one, or the broker is away
        refuse("ebb.archive", new InvalidTopicException("no such topic"));
        refuse("ebb.trash", new TimeoutException("no broker"));

        // then
        assertThat(failed.isTrashClosed()).isFalse();

        // when
        refuse("ebb.trash", new InvalidTopicException("no such topic"));

        // then
        assertThat(failed.isTrashClosed()).isTrue();
    }

    private void refuse(String topic, Exception failure) {
        assertThat(handler.handleError(new Nothing(), new ProducerRecord<>(topic, new byte[9]), failure)
                        .result())
                .isEqualTo(Result.FAIL);
    }

    @Test
    void shouldBlameNoRecordForABrokerThatIsAway() {
        // when
        SettingAside.taking(failed, 7, () -> assertFails(new TimeoutException("no broker")));

        // then
        assertThat(SettingAside.why(failed, 7)).isNull();
    }

    @Test
    void shouldRememberTheInputRecordWhoseOutputTheBrokerRefusedLater() {
        // given a broker whose limit is lower than it was: its answer comes on a thread of the producer
        ErrorHandlerContext whileTakingIn = new Nothing() {
            @Override
            public String topic() {
                return SettingAside.TOPIC;
            }

            @Override
            public int partition() {
                return 0;
            }

            @Override
            public long offset() {
                return 7;
            }
        };

        // when
        handler.handleError(whileTakingIn, OUT, new RecordTooLargeException("the request included a message"));

        // then
        assertThat(SettingAside.why(failed, 7)).contains("is too big: the request included a message");
        assertThat(SettingAside.why(failed, 6)).isNull();
        assertThat(SettingAside.why(failed, 8)).isNull();

        // when the broker is only away
        handler.handleError(new Nothing(), OUT, new TimeoutException("no broker"));

        // then
        assertThat(SettingAside.why(failed, 8)).isNull();
    }

    @Test
    void shouldRememberTheInputRecordWhoseOutputCannotBeSerialized() {
        // when
        SettingAside.taking(failed, 7, () -> assertThat(handler.handleSerializationError(
                                new Nothing(),
                                OUT,
                                new IllegalStateException("bang"),
                                SerializationExceptionOrigin.VALUE)
                        .result())
                .isEqualTo(Result.FAIL));

        // then
        assertThat(SettingAside.why(failed, 7)).endsWith("has no form as bytes: bang");
    }

    @Test
    void shouldCountEachByItsTopic() {
        // given
        List<String> unsent = new ArrayList<>();
        failed.observer(new RetentionObserver() {
            @Override
            public void unsent(String topic) {
                unsent.add(topic);
            }
        });

        // when
        assertFails(new RecordTooLargeException("9 bytes are too many"));
        assertFails(new TimeoutException("no broker"));

        // then
        assertThat(unsent).containsExactly(OUT.topic(), OUT.topic());
    }

    private void assertFails(Exception failure) {
        assertThat(handler.handleError(new Nothing(), OUT, failure).result()).isEqualTo(Result.FAIL);
    }

    /** The context that Kafka Streams gives with a changelog record. */
    private static class Nothing implements ErrorHandlerContext {

        @Override
        public String topic() {
            return null;
        }

        @Override
        public int partition() {
            return -1;
        }

        @Override
        public long offset() {
            return -1;
        }

        @Override
        public Headers headers() {
            return new RecordHeaders();
        }

        @Override
        public String processorNodeId() {
            return null;
        }

        @Override
        public TaskId taskId() {
            return new TaskId(0, 0);
        }

        @Override
        public long timestamp() {
            return -1;
        }

        @Override
        public byte[] sourceRawKey() {
            return new byte[0];
        }

        @Override
        public byte[] sourceRawValue() {
            return new byte[0];
        }
    }
}
