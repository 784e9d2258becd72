package dev.ebb.devstack.process;

import java.nio.file.Files;
import java.nio.file.Path;
import kafka.Kafka;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;

/** The broker's process: formats its storage at the first start, then runs. Arguments: settings file, log folder. */
final class BrokerMain {
    private BrokerMain() {}

    public static void main(String[] args) {
        var settings = args[0];
        if (!Files.exists(Path.of(args[1], "meta.properties"))) {
            format(settings);
        }
        Kafka.main(new String[] {settings});
    }

    private static void format(String settings) {
        var clusterId = Uuid.randomUuid().toString();
        int code = StorageTool.execute(
                new String[] {"format", "--config", settings, "--cluster-id", clusterId}, System.out);
        if (code != 0) {
            throw new IllegalStateException("cannot format the storage of the broker");
        }
    }
}
