package dev.ebb.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.joran.spi.JoranException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class LoggingTest {

    private static final String HOSTILE = "a\r\n2026-11-22T00:00:00.000Z ERROR forged\u001b[2J\u0085b\u2028c\"";

    private final LoggerContext context = new LoggerContext();

    @Test
    void shouldWriteOneJsonObjectALineWithStableNames() throws IOException, JoranException {
        // given
        configure();
        Logging.format("json", "ebb-0", context);

        // when
        String text = written(event(HOSTILE, new IllegalStateException(HOSTILE)));

        // then
        assertThat(text).endsWith("\n");
        assertThat(text.strip()).doesNotContain("\n", "\r", "\u001b");
        JsonNode json = new ObjectMapper().readTree(text);
        assertThat(json.fieldNames())
                .toIterable()
                .containsExactly(
                        "@timestamp",
                        "log.level",
                        "message",
                        "ecs.version",
                        "service.name",
                        "service.version",
                        "service.node.name",
                        "event.dataset",
                        "process.thread.name",
                        "log.logger",
                        "labels",
                        "error.type",
                        "error.message",
                        "error.stack_trace");
        assertThat(json.path("@timestamp").asText()).isEqualTo("1970-01-01T00:00:00.005Z");
        assertThat(json.path("log.level").asText()).isEqualTo("WARN");
        assertThat(json.path("service.name").asText()).isEqualTo("ebb");
        assertThat(json.path("service.node.name").asText()).isEqualTo("ebb-0");
        assertThat(json.path("log.logger").asText()).isEqualTo("dev.ebb.Test");
        assertThat(json.path("message").asText()).isEqualTo("said " + HOSTILE);
        assertThat(json.at("/labels/stream").asText()).isEqualTo(HOSTILE);
        assertThat(json.path("error.type").asText()).isEqualTo(IllegalStateException.class.getName());
        assertThat(json.path("error.message").asText()).isEqualTo(HOSTILE);
        assertThat(json.path("error.stack_trace").asText()).contains("at dev.ebb.cli.options.LoggingTest");
    }

    /** A number, a name with dots and no value at all are text too, so that no index refuses a line for its type. */
    @Test
    void shouldWriteFactsOfEveryKindAsText() throws IOException, JoranException {
        // given
        configure();
        Logging.format("json", "", context);
        LoggingEvent event = event("a", null);
        event.setKeyValuePairs(List.of(
                new KeyValuePair("partition", 3), new KeyValuePair("api.listen", "x"), new KeyValuePair("none", null)));

        // when
        JsonNode json = new ObjectMapper().readTree(written(event));

        // then
        assertThat(json.path("labels").toString())
                .isEqualTo("{\"partition\":\"3\",\"api_listen\":\"x\",\"none\":\"null\"}");
        assertThat(json.has("service.node.name")).isFalse();
        assertThat(json.has("error.type")).isFalse();
    }

    @Test
    void shouldWriteNoLabelsWithoutFacts() throws IOException, JoranException {
        // given
        configure();
        Logging.format("json", "", context);
        LoggingEvent event = event("a", null);
        event.setKeyValuePairs(null);

        // then
        assertThat(new ObjectMapper().readTree(written(event)).has("labels")).isFalse();
    }

    @Test
    void shouldKeepHostileNamesFromForgingLinesOfText() throws JoranException {
        // given
        configure();
        Logging.format("text", "ebb-0", context);

        // when
        String text = written(event(HOSTILE, new IllegalStateException(HOSTILE)));

        // then: each line begins with our own text, and no character is left that a terminal acts upon
        String failure = IllegalStateException.class.getName();
        assertThat(text.lines().skip(1))
                .isNotEmpty()
                .allMatch(line -> line.startsWith(" ") || line.startsWith("\t") || line.startsWith(failure + ": a"));
        assertThat(text)
                .startsWith("1970-01-01T00:00:00.005Z WARN ")
                .doesNotContain("\u001b", "\r", "\u0085", "\u2028");
        assertThat(text).contains("at dev.ebb.cli.options.LoggingTest");
    }

    private void configure() throws JoranException {
        context.setMDCAdapter(new LogbackMDCAdapter());
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(LoggingTest.class.getResource("/logback.xml"));
    }

    private LoggingEvent event(String name, Throwable failure) {
        Logger logger = context.getLogger("dev.ebb.Test");
        LoggingEvent event = new LoggingEvent("x", logger, Level.WARN, "said {}", failure, new Object[] {name});
        event.setTimeStamp(5);
        event.setKeyValuePairs(List.of(new KeyValuePair("stream", name)));
        return event;
    }

    private String written(LoggingEvent event) {
        var appender = (OutputStreamAppender<ILoggingEvent>)
                context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("STDERR");
        Encoder<ILoggingEvent> encoder = appender.getEncoder();
        return new String(encoder.encode(event), StandardCharsets.UTF_8);
    }
}
