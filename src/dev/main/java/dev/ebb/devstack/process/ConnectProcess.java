package dev.ebb.devstack.process;

import static java.util.Map.entry;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A Kafka Connect worker with the Debezium JDBC sink, which has libraries of its own. Behind a guard. */
public final class ConnectProcess extends RevivedProcess {
    private static final String WORKER = "org.apache.kafka.connect.cli.ConnectDistributed";
    /** A name, not a reference: the class cannot be loaded here, without Connect's classes. */
    private static final String GUARD = "dev.ebb.devstack.guard.ConnectGuard";

    private static final String JSON = "org.apache.kafka.connect.json.JsonConverter";

    private static final String DIRECTORY = "org.apache.kafka.common.config.provider.DirectoryConfigProvider";

    private static final String MAX_STATUS_BYTES = "8388608";

    private final int port;
    private final String bootstrapServers;

    public ConnectProcess(StackContext context, Ports ports, String bootstrapServers) {
        super(Service.CONNECT, context);
        this.port = ports.take(Service.CONNECT);
        this.bootstrapServers = bootstrapServers;
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    @Override
    public List<Integer> ports() {
        return List.of(port);
    }

    @Override
    public String address() {
        return url();
    }

    @Override
    public List<String> command() throws IOException {
        var settings = ServiceJvm.settings(folder().resolve("worker.properties"), settings());
        var options =
                List.of("-Xms48m", "-Xmx384m", "-cp", context().distribution().connectClasspath());
        return ServiceJvm.command(context(), Service.CONNECT, options, List.of(WORKER, settings.toString()));
    }

    @Override
    public boolean isReady() throws IOException {
        return HttpProbe.isOk(url() + "/health");
    }

    private Map<String, String> settings() {
        return Map.ofEntries(
                entry("bootstrap.servers", bootstrapServers),
                entry("group.id", "ebb-connect"),
                entry("listeners", url()),
                entry("rest.extension.classes", GUARD),
                entry("rest.advertised.host.name", "127.0.0.1"),
                entry("rest.advertised.port", Integer.toString(port)),
                entry("plugin.path", context().distribution().connectPlugins().toString()),
                // Reading the service files of the plugins is enough, and faster than scanning every class.
                entry("plugin.discovery", "service_load"),
                entry("key.converter", JSON),
                entry("value.converter", JSON),
                entry("config.storage.topic", "ebb.connect.configs"),
                entry("config.storage.replication.factor", "1"),
                entry("offset.storage.topic", "ebb.connect.offsets"),
                entry("offset.storage.replication.factor", "1"),
                entry("offset.storage.partitions", "1"),
                entry("status.storage.topic", "ebb.connect.status"),
                entry("status.storage.replication.factor", "1"),
                entry("status.storage.partitions", "1"),
                // The status of a failed task contains the whole error of its database, which is too long for the
                // default.
                entry("status.storage.max.message.bytes", MAX_STATUS_BYTES),
                entry("max.request.size", MAX_STATUS_BYTES),
                // The progress of the sinks, and so the mirror lag, is only known once they commit it.
                entry("offset.flush.interval.ms", "1000"),
                // The sinks are given the file of the database's password, not the password.
                entry("config.providers", "directory"),
                entry("config.providers.directory.class", DIRECTORY),
                entry(
                        "config.providers.directory.param.allowed.paths",
                        context().secrets().toString()),
                entry("consumer.isolation.level", "read_committed"),
                // Records end the wait; without any, each of eight consumers would ask the broker twice a second.
                entry("fetch.max.wait.ms", "5000"),
                entry("consumer.fetch.max.wait.ms", "2000"),
                // A killed worker is soon forgotten, and its tasks go at once to the worker that replaces it.
                entry("session.timeout.ms", "6000"),
                entry("heartbeat.interval.ms", "2000"),
                entry("scheduled.rebalance.max.delay.ms", "0"),
                // The worker starts together with the broker, which takes longer.
                entry("reconnect.backoff.max.ms", "200"));
    }
}
