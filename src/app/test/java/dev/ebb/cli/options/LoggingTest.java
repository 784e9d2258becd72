package dev.ebb.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
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
        Logging.format("json", context);

        // when
        String text = written(event(HOSTILE, new IllegalStateException(HOSTILE)));

        // then
        assertThat(text).endsWith("\n");
        assertThat(text.strip()).doesNotContain("\n", "\r", "\u001b");
        JsonNode json = new ObjectMapper().readTree(text);
        assertThat(json.fieldNames())
                .toIterable()
                .containsExactly(
                        "timestamp", "level", "threadName", "loggerName", "kvpList", "formattedMessage", "throwable");
        assertThat(json.path("level").asText()).isEqualTo("WARN");
        assertThat(json.path("loggerName").asText()).isEqualTo("dev.ebb.Test");
        assertThat(json.path("formattedMessage").asText()).isEqualTo("said " + HOSTILE);
        assertThat(json.at("/kvpList/0/stream").asText()).isEqualTo(HOSTILE);
        assertThat(json.at("/throwable/message").asText()).isEqualTo(HOSTILE);
    }

    @Test
    void shouldKeepHostileNamesFromForgingLinesOfText() throws JoranException {
        // given
        configure();
        Logging.format("text", context);

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
