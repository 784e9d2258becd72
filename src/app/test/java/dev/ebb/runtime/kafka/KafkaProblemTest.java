package dev.ebb.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("O-16")
class KafkaProblemTest {

    @ParameterizedTest
    @MethodSource("problems")
    void shouldSayItInTheWordsOfAUser(Throwable problem, String text) {
        assertThat(KafkaProblem.text(problem)).isEqualTo(text);
    }

    static Stream<Arguments> problems() {
        String call =
                "Call(callName=listNodes, deadlineMs=1764000000000, tries=1, nextAllowedTryMs=-9223372036854775709)";
        return Stream.of(
                Arguments.of(
                        new TimeoutException(call + " timed out at 1764000000001 after 1 attempt(s)"),
                        "it did not answer in time"),
                Arguments.of(
                        new ExecutionException(
                                new TimeoutException("Timed out waiting for a node assignment. Call: x")),
                        "it did not answer in time"),
                Arguments.of(new KafkaException("Failed: " + call), "it did not answer in time"),
                Arguments.of(new DisconnectException(), "the connection to it broke"),
                Arguments.of(new KafkaException((String) null), "it gave no reason"),
                Arguments.of(
                        new KafkaException("Failed to create", new ConfigException("No resolvable bootstrap urls")),
                        "No resolvable bootstrap urls"),
                Arguments.of(
                        new KafkaException(
                                "org.apache.kafka.common.errors.UnknownServerException: it is full",
                                new IllegalStateException()),
                        "it is full"),
                Arguments.of(
                        new TopicAuthorizationException("Not authorized to access topics: [ebb.events]"),
                        "Not authorized to access topics: [ebb.events]"),
                Arguments.of(
                        new UnknownTopicOrPartitionException("This server does not host this topic-partition."),
                        "This server does not host this topic-partition."));
    }
}
