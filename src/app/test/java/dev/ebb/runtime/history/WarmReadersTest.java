package dev.ebb.runtime.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.port.NotReadyException;
import dev.ebb.runtime.history.WarmReaders.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-17")
class WarmReadersTest {

    private static final Duration PATIENCE = Duration.ofMillis(1);

    private final List<MockConsumer<byte[], byte[]>> made = new ArrayList<>();
    private final WarmReaders readers = new WarmReaders(this::make, 2, PATIENCE);

    @Test
    void shouldMakeOneConsumerForQuestionsOneAfterTheOther() {
        // when
        for (int i = 0; i < 5; i++) {
            try (Lease lease = readers.take()) {
                lease.reader().assign(List.of(new TopicPartition("t", i)));
            }
        }

        // then
        assertThat(made).hasSize(1);
        assertThat(made.get(0).closed()).isFalse();
        assertThat(made.get(0).assignment()).isEmpty();
    }

    @Test
    void shouldHaveNoMoreInUseThanMayBe() {
        // given
        Lease first = readers.take();
        Lease second = readers.take();

        // when / then
        assertThatThrownBy(readers::take).isInstanceOf(NotReadyException.class);
        first.close();
        try (Lease third = readers.take()) {
            assertThat(third.reader()).isSameAs(first.reader()).isNotSameAs(second.reader());
        }
        assertThat(made).hasSize(2);
    }

    @Test
    void shouldGiveBackOnceHoweverOftenItIsClosed() {
        // given
        Lease first = readers.take();
        Lease second = readers.take();

        // when
        first.close();
        first.close();

        // then
        assertThat(readers.take().reader()).isNotSameAs(second.reader());
        assertThatThrownBy(readers::take).isInstanceOf(NotReadyException.class);
    }

    @Test
    void shouldLeaveNoPlaceTakenByAConsumerThatCannotBeMade() {
        // given
        WarmReaders away = new WarmReaders(
                () -> {
                    throw new TimeoutException("no broker");
                },
                1,
                PATIENCE);

        // when / then
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(away::take).isInstanceOf(TimeoutException.class);
        }
    }

    @Test
    void shouldNotKeepAConsumerThatCannotForget() {
        // given
        Lease lease = readers.take();
        MockConsumer<byte[], byte[]> broken = made.get(0);
        broken.close();

        // when
        lease.close();

        // then
        assertThat(readers.take().reader()).isNotSameAs(broken);
    }

    @Test
    void shouldCloseAllAtTheEnd() {
        // given
        Lease used = readers.take();
        readers.take().close();

        // when
        readers.close();

        // then
        assertThat(made.get(1).closed()).isTrue();
        assertThat(made.get(0).closed()).isFalse();
        used.close();
        assertThat(made.get(0).closed()).isTrue();
    }

    private Consumer<byte[], byte[]> make() {
        if (made.size() > 10) {
            throw new KafkaException("too many");
        }
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
        made.add(consumer);
        return consumer;
    }
}
