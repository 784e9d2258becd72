package dev.ebb.cli.options;

import dev.ebb.cli.kafka.KafkaSession;
import dev.ebb.cli.terminal.Progress;
import dev.ebb.config.Settings;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.runtime.streams.InputOffsets;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;

/** Options by which a command reaches the broker itself. */
public final class KafkaOptions {

    private final CommandEnvironment context;

    @Mixin
    private ConfigOptions config;

    KafkaOptions(CommandEnvironment context) {
        this.context = context;
        this.config = new ConfigOptions(context);
    }

    public KafkaSession connect() {
        return new KafkaSession(config.loadForClient());
    }

    public <T> T topics(Function<TopicAdmin, T> work) {
        KafkaSession session = connect();
        return waiting(session, () -> session.topics(work));
    }

    public <T> T offsets(Function<InputOffsets, T> work) {
        KafkaSession session = connect();
        return waiting(session, () -> session.offsets(work));
    }

    private <T> T waiting(KafkaSession session, Supplier<T> work) {
        String broker = session.config().get(Settings.BOOTSTRAP_SERVERS);
        Progress progress = Progress.waiting(context.terminal(), "waiting for " + broker);
        try {
            return work.get();
        } finally {
            progress.close();
        }
    }
}
