package dev.ebb.devstack.process;

import dev.ebb.stacks.PrivateFiles;
import java.io.IOException;
import java.util.List;

/** Apicurio Registry with Confluent's API; its schemas are in an H2 database in the data folder. Behind a guard. */
public final class RegistryProcess extends StackProcess {
    /** A name, not a reference: the class cannot be loaded here, without Quarkus. */
    private static final String GUARDED = "dev.ebb.devstack.guard.GuardedRegistry";

    private final int port;

    public RegistryProcess(StackContext context, Ports ports) {
        super(Service.REGISTRY, context);
        this.port = ports.take(Service.REGISTRY);
    }

    public String url() {
        return "http://127.0.0.1:" + port + "/apis/ccompat/v7";
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
        PrivateFiles.folder(folder());
        var options = List.of(
                "-Xms32m",
                "-Xmx256m",
                "-cp",
                context().distribution().registryClasspath(),
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=" + port,
                "-Dquarkus.management.host=127.0.0.1",
                "-Dquarkus.banner.enabled=false",
                "-Dquarkus.http.access-log.enabled=false",
                "-Dquarkus.log.level=WARN",
                "-Dquarkus.log.category.\"io.apicurio\".level=WARN",
                "-Dapicurio.storage.kind=sql",
                "-Dapicurio.storage.sql.kind=h2",
                // An id that was handed out must never be handed out again after a kill: the registry writes before it
                // answers.
                "-Dapicurio.datasource.url=jdbc:h2:file:" + folder().resolve("schemas") + ";WRITE_DELAY=0",
                "-Dapicurio.datasource.jdbc.initial-size=1",
                "-Dapicurio.datasource.jdbc.min-size=1",
                "-Dapicurio.datasource.jdbc.max-size=8");
        var program = List.of(GUARDED);
        return ServiceJvm.command(context(), Service.REGISTRY, options, program);
    }

    @Override
    public boolean isReady() throws IOException {
        return HttpProbe.isOk(url() + "/subjects");
    }
}
