package dev.ebb.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.ebb.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class RunCommandTest {

    private static final int REFUSED = 5;

    private final Logger logger = (Logger) LoggerFactory.getLogger(RunCommand.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @TempDir
    private Path folder;

    @BeforeEach
    void listen() {
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    @Test
    @Tag("O-26")
    void shouldBeginTheLogWithWhatIsSetAndWhere() throws IOException {
        // given: an instance that cannot start, since a file is in the way
        Path file = Files.createFile(folder.resolve("file"));

        // when
        CommandRun run =
                CommandRun.of(Map.of("EBB_SQL_PASSWORD", "a-secret"), "", folder, "run", "--set", "state.dir=" + file);

        // then
        assertThat(run.exitCode()).as(run.err()).isEqualTo(REFUSED);
        assertThat(log.list).singleElement().satisfies(line -> {
            assertThat(line.getFormattedMessage()).isEqualTo("settings that differ from their defaults");
            assertThat(line.getKeyValuePairs())
                    .extracting(pair -> pair.key + "=" + pair.value)
                    .containsExactly(
                            "sql.password=[hidden] (environment EBB_SQL_PASSWORD)",
                            "state.dir=" + file + " (--set state.dir)");
        });
    }
}
