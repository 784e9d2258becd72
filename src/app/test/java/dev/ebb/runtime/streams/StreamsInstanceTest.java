package dev.ebb.runtime.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.port.NotReadyException;
import dev.ebb.runtime.life.LifecycleObserver;
import dev.ebb.runtime.life.RefusedException;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.rocks.SharedMemory;
import dev.ebb.topology.fault.FailedRecords;
import dev.ebb.topology.observe.ClockWatch;
import dev.ebb.topology.observe.RunningTasks;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.KeyValueStore;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StreamsInstanceTest {

    private static final LifecycleObserver OBSERVER = new LifecycleObserver() {};
    private static final String DRAINED = "this instance is drained; ask another instance, or restart this one";

    @TempDir
    private Path folder;

    @Test
    void shouldNameTheFolderAndTheWayOutIfAnotherInstanceRunsOnIt() throws IOException {
        // given
        EbbConfig config = config();
        Path state = Files.createDirectories(folder.resolve("app"));
        try (FileChannel lockFile =
                        FileChannel.open(state.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = lockFile.lock();
                SharedMemory memory = new SharedMemory(1 << 20, 1 << 20, 1 << 20)) {
            // when
            assertThatThrownBy(() -> new StreamsInstance(
                            config,
                            topology(),
                            memory,
                            new FailedRecords(),
                            new RunningTasks(),
                            ClockWatch.SANE,
                            OBSERVER))
                    // then
                    .as("locked by %s", lock)
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining(state.toString())
                    .hasMessageContaining("state.dir");
        }
    }

    @Test
    @Tag("O-28")
    void shouldSayWhyAFolderCannotBeUsed() throws IOException {
        // given
        Path file = Files.createFile(folder.resolve("file"));
        EbbConfig config = EbbConfig.load(new ConfigSources(null, Map.of(), Map.of("state.dir", file.toString())));
        try (SharedMemory memory = new SharedMemory(1 << 20, 1 << 20, 1 << 20)) {
            // when
            assertThatThrownBy(() -> new StreamsInstance(
                            config,
                            topology(),
                            memory,
                            new FailedRecords(),
                            new RunningTasks(),
                            ClockWatch.SANE,
                            OBSERVER))
                    // then
                    .isInstanceOf(RefusedException.class)
                    .hasMessage("state.dir=" + file + " cannot be used: a part of its path is a file; name a folder in"
                            + " which the user of this process may write");
        }
    }

    @Test
    @Tag("O-17")
    void shouldAnswerEachCallerThatItIsDrained() {
        // given
        try (SharedMemory memory = new SharedMemory(1 << 20, 1 << 20, 1 << 20)) {
            StreamsInstance instance = new StreamsInstance(
                    config(), topology(), memory, new FailedRecords(), new RunningTasks(), ClockWatch.SANE, OBSERVER);

            // when
            assertThat(instance.leave(Duration.ofSeconds(30))).isTrue();

            // then
            assertThat(instance.state()).isEqualTo(KafkaStreams.State.NOT_RUNNING);
            assertNotReady(() -> instance.read(0, store -> true), DRAINED);
            assertNotReady(() -> instance.of(0), DRAINED);
            assertNotReady(() -> instance.copies().read(0, store -> true), DRAINED);
            assertNotReady(() -> instance.placement().keepers(), DRAINED);
            assertThat(instance.missing(0))
                    .isInstanceOf(NotReadyException.class)
                    .hasMessage(DRAINED);
            assertThat(instance.copies().missing(0)).hasMessage(DRAINED);
            assertThat(instance.placement().followers(0)).isEmpty();
            assertThat(instance.placement().instances())
                    .containsExactly(instance.placement().self());
            assertThat(instance.taskFolders()).isEmpty();
        }
    }

    @Test
    @Tag("O-17")
    void shouldNotBeAskedBeforeItHasStarted() {
        // given
        try (SharedMemory memory = new SharedMemory(1 << 20, 1 << 20, 1 << 20)) {
            StreamsInstance instance = new StreamsInstance(
                    config(), topology(), memory, new FailedRecords(), new RunningTasks(), ClockWatch.SANE, OBSERVER);
            String notYet = "this instance has not joined the others yet";

            // then
            assertNotReady(() -> instance.read(0, store -> true), notYet);
            assertNotReady(() -> instance.copies().read(0, store -> true), notYet);
            assertNotReady(() -> instance.placement().keepers(), notYet);
            instance.close(Duration.ofSeconds(30));
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    CREATED, false, has not joined the others yet
                    PENDING_SHUTDOWN, false, is being stopped
                    NOT_RUNNING, false, is being stopped
                    PENDING_ERROR, false, has failed
                    ERROR, false, has failed
                    RUNNING, true, is being drained
                    REBALANCING, true, is being drained
                    PENDING_SHUTDOWN, true, is being drained
                    NOT_RUNNING, true, is drained
                    ERROR, true, is drained
                    """)
    @Tag("O-17")
    void shouldNameTheReasonOfEachStateInWhichItCannotBeAsked(
            KafkaStreams.State state, boolean hasLeft, String reason) {
        assertThat(StreamsInstance.absence(state, hasLeft)).startsWith("this instance " + reason);
    }

    @ParameterizedTest
    @EnumSource(
            value = KafkaStreams.State.class,
            names = {"RUNNING", "REBALANCING"})
    void shouldBeThereWhileItRuns(KafkaStreams.State state) {
        assertThat(StreamsInstance.absence(state, false)).isNull();
    }

    private static void assertNotReady(ThrowingCallable question, String reason) {
        assertThatThrownBy(question).isInstanceOf(NotReadyException.class).hasMessage(reason);
    }

    private EbbConfig config() {
        return EbbConfig.load(
                new ConfigSources(null, Map.of(), Map.of("state.dir", folder.toString(), "application.id", "app")));
    }

    private static Topology topology() {
        StreamsBuilder builder = new StreamsBuilder();
        for (String store : List.of(StoreNames.EVENTS, StoreNames.USAGE)) {
            builder.table("in-" + store, Materialized.<String, String, KeyValueStore<Bytes, byte[]>>as(store));
        }
        return builder.build();
    }
}
