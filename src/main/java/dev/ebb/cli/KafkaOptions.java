package dev.ebb.cli;

import dev.ebb.cli.kafka.KafkaSession;
import dev.ebb.cli.terminal.Progress;
import dev.ebb.runtime.TopicAdmin;
import java.util.function.Function;
import picocli.CommandLine.Mixin;

/** How a command reaches the broker itself. */
final class KafkaOptions {

    private final CommandContext context;

    @Mixin
    private ConfigOptions config;

    KafkaOptions(CommandContext context) {
        this.context = context;
        this.config = new ConfigOptions(context);
    }

    KafkaSession connect() {
        return new KafkaSession(config.loadForClient());
    }

    <T> T topics(Function<TopicAdmin, T> work) {
        KafkaSession session = connect();
        String broker = session.config().bootstrapServers();
        Progress progress = Progress.waiting(context.terminal(), "waiting for " + broker);
        try {
            return session.topics(work);
        } finally {
            progress.close();
        }
    }
}
