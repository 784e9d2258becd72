package dev.ebb.sink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.sink.FakeWorker.Topic;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Deletes of many rows of one stream, against a real PostgreSQL: one range of time, or keys, and never another row. */
@Tag("A-14")
@Timeout(120)
@TestInstance(Lifecycle.PER_CLASS)
class RunDeletesIT {

    private static final Instant BEGIN = Instant.parse("2026-01-31T23:00:00Z");

    private final Topic topic = new Topic();
    private ThingTable table;
    private int offset;

    @BeforeAll
    void start(@TempDir Path dataDir) throws Exception {
        table = ThingTable.start(dataDir, """
            CREATE TABLE thing (at timestamptz, stream text, name text, kind text, PRIMARY KEY (at, stream, name))
                PARTITION BY RANGE (at);
            CREATE TABLE thing_1 PARTITION OF thing FOR VALUES FROM ('2026-01-01Z') TO ('2026-02-01Z');
            CREATE TABLE thing_2 PARTITION OF thing DEFAULT;
            CREATE INDEX ON thing (stream, at);
            CREATE TABLE noted (way text, rows bigint);
            CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                INSERT INTO noted SELECT CASE WHEN current_query() LIKE '%BETWEEN%' THEN 'range' ELSE 'keys' END, count(*)
                    FROM gone HAVING count(*) > 0;
                RETURN null;
            END $$;
            CREATE TRIGGER note AFTER DELETE ON thing REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note();
            """);
    }

    @AfterAll
    void stop() {
        if (table != null) {
            table.close();
        }
    }

    @BeforeEach
    void empty() throws SQLException {
        table.empty();
        table.execute("TRUNCATE noted");
        topic.clear();
        offset = 0;
    }

    @Test
    void shouldDeleteARunAsOneRangeAndLeaveWhatLivesWithinIt() throws Exception {
        // given
        rows("a", 100);
        rows("b", 100);
        delete("a", i -> i > 0 && i < 99 && i % 20 != 0);

        // when
        turn();

        // then
        assertThat(names("a")).isEqualTo("0 20 40 60 80 99");
        assertThat(names("b").split(" ")).hasSize(100);
        assertThat(noted()).isEqualTo("range 94");
    }

    @Test
    void shouldLeaveARowOfTheSameNameAndAnotherTime() throws Exception {
        // given
        rows("a", 40);
        table.execute("UPDATE thing SET name = '3' WHERE name = '7'");
        delete("a", i -> i != 7);

        // when
        turn();

        // then
        assertThat(names("a")).isEqualTo("3");
        assertThat(noted()).isEqualTo("range 39");
    }

    @Test
    void shouldDeleteByKeysWhatLiesFarApart() throws Exception {
        // given
        rows("a", 400);
        delete("a", i -> i % 10 == 0);

        // when
        turn();

        // then
        assertThat(names("a").split(" ")).hasSize(360).doesNotContain("0", "10", "390");
        assertThat(noted()).isEqualTo("keys 40");
    }

    @Test
    void shouldDeleteTheRestOfARunOfWhichRowsAreMissing() throws Exception {
        // given
        rows("a", 50);
        table.execute("UPDATE thing SET stream = 'b' WHERE name::int < 10");
        delete("a", i -> true);
        delete("c", i -> i < 50);

        // when
        turn();

        // then
        assertThat(names("a")).isNull();
        assertThat(names("b")).isEqualTo("0 1 2 3 4 5 6 7 8 9");
        assertThat(noted()).isEqualTo("range 40");
    }

    @Test
    void shouldDeleteFewRowsOfManyStreamsByOneStatement() throws Exception {
        // given
        for (int stream = 0; stream < 20; stream++) {
            rows("s" + stream, 5);
            delete("s" + stream, i -> i < 4);
        }

        // when
        turn();

        // then
        assertThat(table.texts("SELECT string_agg(DISTINCT name, ' ') || ' ' || count(*) FROM thing"))
                .containsExactly("4 20");
        assertThat(noted()).isEqualTo("keys 80");
    }

    private void rows(String stream, int count) throws SQLException {
        table.execute("INSERT INTO thing SELECT '" + BEGIN + "'::timestamptz + i * interval '1 minute', '" + stream
                + "', i, '1' FROM generate_series(0, " + (count - 1) + ") i");
    }

    private void delete(String stream, IntPredicate which) {
        IntStream.range(0, 400).filter(which).forEach(i -> {
            String key = "{\"at\":\"%s\",\"stream\":\"%s\",\"name\":\"%d\"}"
                    .formatted(BEGIN.plus(i, ChronoUnit.MINUTES), stream, i);
            topic.send(0, offset++, key, null);
        });
    }

    private void turn() {
        try (FakeWorker worker = new FakeWorker(topic, table.sink()).start(0, 0)) {
            worker.turn();
        }
    }

    private String names(String stream) throws SQLException {
        return table.texts("SELECT string_agg(name, ' ' ORDER BY at) FROM thing WHERE stream = '" + stream + "'")
                .get(0);
    }

    private String noted() throws SQLException {
        return String.join(", ", table.texts("SELECT way || ' ' || rows FROM noted ORDER BY 1"));
    }
}
