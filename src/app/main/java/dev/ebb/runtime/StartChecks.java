package dev.ebb.runtime;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.runtime.kafka.TopicProblem;
import dev.ebb.runtime.life.LifecycleObserver;
import dev.ebb.runtime.life.RefusedException;
import dev.ebb.runtime.streams.InputOffsets;
import dev.ebb.runtime.streams.KafkaCatchUp;
import dev.ebb.runtime.streams.LostOffset;
import dev.ebb.runtime.streams.OffsetsRetention;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;

/**
 * Checks, before anything is processed, whether the instance can work with its settings, its topics and its offsets.
 *
 * @param catchUp receives the ids of the topics
 */
record StartChecks(
        EbbConfig config, Admin admin, KafkaClients clients, KafkaCatchUp catchUp, LifecycleObserver observer) {

    /** Warns of a folder and of an address that work for now. */
    void warnOfSettings() {
        warnOfTemporaryFolder();
        warnOfAddress();
    }

    /** @throws RefusedException if a topic is wrong */
    void checkTopics() {
        List<TopicProblem> problems = new TopicAdmin(admin, config).check();
        problems.stream().filter(problem -> !problem.isFault()).forEach(problem -> observer.warned(problem.toString()));
        String faults = problems.stream()
                .filter(TopicProblem::isFault)
                .map(TopicProblem::toString)
                .collect(Collectors.joining("\n"));
        if (!faults.isEmpty()) {
            throw new RefusedException(faults);
        }
    }

    /** Checks that no input would be taken in again, since most of it has been deleted meanwhile. */
    void checkOffsets() {
        InputOffsets offsets = new InputOffsets(admin, clients, config);
        catchUp.know(offsets.topicIds(), !config.isExactlyOnce() || !config.get(Settings.INPUT_GUARD));
        InputOffsets.Comparison found = offsets.atStart();
        List<LostOffset> lost = found.lost();
        String text = lost.stream().map(LostOffset::toString).collect(Collectors.joining("\n"));
        if (!lost.isEmpty() && config.get(Settings.INPUT_GUARD)) {
            throw new RefusedException(text);
        }
        lost.forEach(offset -> observer.warned(offset.toString()));
        found.gone().forEach(observer::warned);
        String retention = new OffsetsRetention(admin).problem();
        if (retention != null) {
            observer.warned(retention);
        }
    }

    /** A cleanup of that folder deletes the state; the state would be rebuilt, but at a bad moment. */
    private void warnOfTemporaryFolder() {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
        if (config.get(Settings.STATE_DIR).startsWith(temporary)) {
            observer.warned("state.dir is in the folder for temporary files: " + config.get(Settings.STATE_DIR));
        }
    }

    /** An instance with such an address would make others send requests to themselves. */
    private void warnOfAddress() {
        if (config.apiAdvertised().isWildcard()) {
            observer.warned("other instances and users are told to reach this one at " + config.apiAdvertised()
                    + ", which none of them can; set api.advertised to an address of this machine");
        }
    }
}
