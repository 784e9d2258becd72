package dev.ebb.sink;

import static dev.ebb.sink.ThingBytes.key;
import static dev.ebb.sink.ThingBytes.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.sink.FakeWorker.Topic;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.errors.RetriableException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The positions in the database decide what is written, once, whatever the task or the group has believed before. */
@Tag("A-14")
@Timeout(120)
@TestInstance(Lifecycle.PER_CLASS)
class SinkPositionsIT {

    private final Topic topic = new Topic();
    private ThingTable table;

    @BeforeAll
    void start(@TempDir Path dataDir) throws Exception {
        table = ThingTable.startWatched(dataDir);
    }

    @AfterAll
    void stop() {
        if (table != null) {
            table.close();
        }
    }

    @BeforeEach
    void empty() throws SQLException {
        table.emptyWatched();
        topic.clear();
    }

    @Test
    void shouldNotWriteRecordsBeforeThePositionAgainWhenTheDatabaseWasAwayAtTheStart() throws Exception {
        // given
        topic.send(0, 0, key("a"), row("a", "1"));
        topic.send(0, 1, key("b"), row("b", "1"));
        try (FakeWorker worker = worker().start(0, 0)) {
            worker.turn();
        }
        topic.send(0, 2, key("c"), row("c", "1"));

        // when: a task that cannot read its position when it begins, and gets the records from the group's offset on
        table.postgres().stop();
        try (FakeWorker worker = worker().start(0, 0)) {
            table.postgres().start();
            worker.turnUntilItSucceeds();
            worker.turn();

            // then
            assertThat(worker.committed()).containsExactly(Map.entry(0, 3L));
        }
        assertThat(written()).containsExactly("a=1", "b=1", "c=1");
    }

    /** Connect brings the records again that a fault has left over, and those from the requested offset on as well. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldWriteOnceWhatWasRequestedAndComesAgainAfterFaults(int faults) throws Exception {
        // given: partition 0 has a position, which cannot be read at the start; a row of partition 1 meets a fault
        topic.send(0, 0, key("a"), row("a", "1"));
        try (FakeWorker worker = worker().start(0, 0)) {
            worker.turn();
        }
        topic.send(0, 1, key("b"), row("b", "1"));
        topic.send(1, 0, key("x"), row("x", "1"));
        table.fault("x", "53100");
        table.postgres().stop();
        try (FakeWorker worker = worker().start(List.of(0, 1))) {
            table.postgres().start();
            for (int i = 0; i < faults; i++) {
                assertThatThrownBy(worker::turn).isInstanceOf(RetriableException.class);
            }

            // when
            table.execute("TRUNCATE fault");
            worker.turnUntilItSucceeds();
            worker.turn();

            // then
            assertThat(worker.committed()).containsOnly(Map.entry(0, 2L), Map.entry(1, 1L));
        }
        assertThat(written()).containsExactly("a=1", "b=1", "x=1");
    }

    /** After a rebalance nothing of the failed call comes again: the next records are those that were requested. */
    @Test
    void shouldLoseNothingWhenAPartitionComesBackAfterAFault() throws Exception {
        // given
        topic.send(0, 0, key("a"), row("a", "1"));
        try (FakeWorker worker = worker().start(0, 0)) {
            worker.turn();
            topic.send(0, 1, key("b"), row("b", "1"));
            topic.send(0, 2, key("c"), row("c", "1"));
            table.fault("b", "53100");
            assertThatThrownBy(() -> worker.turn(1)).isInstanceOf(RetriableException.class);
            table.execute("TRUNCATE fault");

            // when
            worker.reassign(0, 1);
            worker.turn(1);
            worker.turn(1);

            // then
            assertThat(worker.committed()).containsExactly(Map.entry(0, 3L));
        }
        assertThat(written()).containsExactly("a=1", "b=1", "c=1");
    }

    @Test
    void shouldMoveThePositionOfAPartitionWithoutRows() throws Exception {
        // given: rows in one partition, only deletes in the other
        topic.send(0, 0, key("a"), row("a", "1"));
        topic.send(1, 4, key("x"), (String) null);
        topic.send(1, 5, key("y"), (String) null);

        // when
        try (FakeWorker worker = worker().start(List.of(0, 1))) {
            worker.turn();

            // then
            assertThat(worker.committed()).containsOnly(Map.entry(0, 1L), Map.entry(1, 6L));
        }
        assertThat(table.texts("SELECT partition || ' ' || position FROM mirror_position ORDER BY partition"))
                .containsExactly("0 1", "1 6");
    }

    @Test
    void shouldMoveThePositionWhereDeletesArePassedOver() throws Exception {
        // given
        topic.send(1, 4, key("x"), (String) null);
        Map<String, String> settings = table.sink();
        settings.put("delete.enabled", "false");

        // when
        try (FakeWorker worker = new FakeWorker(topic, settings).start(List.of(0, 1))) {
            worker.turn();

            // then: the partition without any record has no position, and nothing is committed for it
            assertThat(worker.committed()).containsExactly(Map.entry(1, 5L));
        }
    }

    @Test
    void shouldReadRecordsAgainWhosePositionIsGone() throws Exception {
        // given: a database that was restored from a backup without any position while the task runs
        topic.send(0, 10, key("a"), row("a", "1"));
        try (FakeWorker worker = worker().start(0, 10)) {
            worker.turn();
            table.execute("TRUNCATE mirror_position; TRUNCATE thing");
            topic.send(0, 11, key("b"), row("b", "1"));
            topic.send(0, 12, key("c"), row("c", "1"));

            // when
            worker.turn();
            assertThat(worker.asked()).containsExactly(Map.entry(0, 11L));
            assertThat(worker.committed())
                    .as("of a partition without a position")
                    .isEmpty();
            worker.turn();

            // then
            assertThat(worker.committed()).containsExactly(Map.entry(0, 13L));
        }
        assertThat(table.texts("SELECT name FROM thing ORDER BY name")).containsExactly("b", "c");
    }

    @Test
    void shouldKnowNoPositionOfAPartitionThatItHasLost() throws Exception {
        // given
        topic.send(0, 0, key("a"), row("a", "1"));
        topic.send(1, 0, key("b"), row("b", "1"));
        try (FakeWorker worker = worker().start(List.of(0, 1))) {
            worker.turn();

            // when
            worker.close(0);

            // then: what another task has written since is not taken back
            assertThat(worker.committed()).containsExactly(Map.entry(1, 1L));
        }
    }

    @Test
    void shouldCommitNothingForAPartitionWhosePositionCannotBeReadWhenItIsOpened() throws Exception {
        // given
        topic.send(0, 0, key("a"), row("a", "1"));
        try (FakeWorker worker = worker().start(0, 0)) {
            worker.turn();

            // when
            table.postgres().stop();
            worker.open(0, 5);

            // then
            assertThat(worker.committed()).isEmpty();
        } finally {
            table.postgres().start();
        }
    }

    @Test
    void shouldBelieveTheDatabaseAtEachOpening() throws Exception {
        // given: a task that has lost its partition without being told, and another one that has gone on
        for (int i = 0; i < 4; i++) {
            topic.send(0, i, key("e" + i), row("e" + i, "1"));
        }
        try (FakeWorker worker = worker().start(0, 0);
                FakeWorker other = worker().start(0, 0)) {
            worker.turn(1);
            other.turn(1);
            other.turn(2);

            // when
            worker.open(0, 1);

            // then
            assertThat(worker.asked()).containsExactly(Map.entry(0, 3L));
            worker.turn();
            assertThat(worker.committed()).containsExactly(Map.entry(0, 4L));
        }
        assertThat(written()).containsExactly("e0=1", "e1=1", "e2=1", "e3=1");
    }

    private FakeWorker worker() {
        return new FakeWorker(topic, table.sink());
    }

    /** Each writing of a row. */
    private List<String> written() throws SQLException {
        return table.texts("SELECT name || '=' || kind FROM written ORDER BY 1");
    }
}
