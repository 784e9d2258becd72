package dev.ebb.secured;

import dev.ebb.api.access.LocalIssuer;
import dev.ebb.runtime.kafka.Answers;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.utils.Time;

/**
 * A broker that lets clients in by SCRAM-SHA-512 over TLS, by a certificate, or by a token of an issuer, and allows its
 * users only what they were given. Each user's password and secret is its name and "-secret".
 */
public final class SecuredBroker implements AutoCloseable {

    /** Users of the tests, none of whom has a right at first. */
    private static final List<String> USERS = List.of("setup", "run", "connect");

    public static final String ADMIN = "admin";
    private static final String ALLOWED_URLS = "org.apache.kafka.sasl.oauthbearer.allowed.urls";
    private static final String SCRAM_LOGIN = "org.apache.kafka.common.security.scram.ScramLoginModule required";
    private static final String TOKEN_LOGIN =
            "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required";

    private final Path folder;
    private final Map<Login, Integer> ports = new HashMap<>();
    private final Map<String, CertificateFiles> certificates = new HashMap<>();
    private final LocalIssuer issuer = new LocalIssuer();
    private final Path trusted;
    private final KafkaRaftServer server;
    private final Admin admin;

    /** Starts the broker, which keeps its files in that folder. */
    public SecuredBroker(Path folder) throws IOException {
        this.folder = folder;
        Stream.of(Login.values()).forEach(login -> ports.put(login, freePort()));
        Stream.concat(Stream.of("broker", ADMIN, "run", "setup"), Stream.of("stranger"))
                .parallel()
                .map(name -> Map.entry(name, CertificateFiles.make(folder, name)))
                .toList()
                .forEach(made -> certificates.put(made.getKey(), made.getValue()));
        trusted = trusted();
        // The broker checks addresses like a client, and is in this process.
        System.setProperty(ALLOWED_URLS, issuer.keysEndpoint() + "," + issuer.tokenEndpoint());
        Properties settings = settings(freePort());
        Path file = folder.resolve("server.properties");
        try (var out = Files.newBufferedWriter(file)) {
            settings.store(out, null);
        }
        format(file);
        server = new KafkaRaftServer(KafkaConfig.fromProps(settings), Time.SYSTEM);
        server.startup();
        // An instance allows the address itself, where nothing else was allowed.
        System.setProperty(ALLOWED_URLS, issuer.keysEndpoint().toString());
        admin = Admin.create(new HashMap<>(clientSettings(Login.SCRAM, ADMIN)));
    }

    /** Returns an administrator of the broker. */
    public Admin admin() {
        return admin;
    }

    public void grant(List<AclBinding> rights) {
        Answers.of(admin.createAcls(rights).all());
    }

    public void revoke(List<AclBinding> rights) {
        Answers.of(admin.deleteAcls(rights.stream().map(AclBinding::toFilter).toList())
                .all());
    }

    /** Returns the rights without which everything that the user has done so far would have been allowed all the same. */
    public List<AclBinding> unused(String user, List<AclBinding> rights) {
        return RecordingAuthorizer.unused(user, rights);
    }

    /** Returns the settings of a client of that user, as Kafka names them. */
    public Map<String, String> clientSettings(Login login, String user) {
        Map<String, String> settings = new HashMap<>();
        settings.put("bootstrap.servers", "127.0.0.1:" + ports.get(login));
        settings.put("security.protocol", login == Login.CERTIFICATE ? "SSL" : "SASL_SSL");
        settings.put("ssl.truststore.type", "PEM");
        settings.put(
                "ssl.truststore.location", certificate("broker").certificate().toString());
        switch (login) {
            case SCRAM -> {
                settings.put("sasl.mechanism", "SCRAM-SHA-512");
                settings.put("sasl.jaas.config", SCRAM_LOGIN + login(user));
            }
            case CERTIFICATE -> {
                settings.put("ssl.keystore.type", "PEM");
                settings.put(
                        "ssl.keystore.location",
                        certificate(user).keyAndCertificate().toString());
            }
            case TOKEN -> {
                settings.put("sasl.mechanism", "OAUTHBEARER");
                settings.put(
                        "sasl.login.callback.handler.class",
                        "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler");
                settings.put(
                        "sasl.oauthbearer.token.endpoint.url",
                        issuer.tokenEndpoint().toString());
                settings.put("sasl.oauthbearer.client.credentials.client.id", user);
                settings.put("sasl.oauthbearer.client.credentials.client.secret", user + "-secret");
                settings.put("sasl.jaas.config", TOKEN_LOGIN + ";");
            }
        }
        return settings;
    }

    private CertificateFiles certificate(String name) {
        return certificates.get(name);
    }

    /** The certificates that the broker trusts: all but that of the stranger. */
    private Path trusted() throws IOException {
        List<String> all = new ArrayList<>();
        for (Map.Entry<String, CertificateFiles> made : certificates.entrySet()) {
            if (!made.getKey().equals("stranger")) {
                all.add(Files.readString(made.getValue().certificate()));
            }
        }
        return Files.writeString(folder.resolve("trusted.pem"), String.join("", all));
    }

    private static String login(String user) {
        return " username=\"" + user + "\" password=\"" + user + "-secret\";";
    }

    private static void format(Path settings) {
        List<String> arguments = new ArrayList<>(List.of(
                "format",
                "--config",
                settings.toString(),
                "--cluster-id",
                Uuid.randomUuid().toString()));
        Stream.concat(Stream.of(ADMIN), USERS.stream()).forEach(user -> {
            arguments.add("--add-scram");
            arguments.add("SCRAM-SHA-512=[name=" + user + ",password=" + user + "-secret]");
        });
        int status =
                StorageTool.execute(arguments.toArray(String[]::new), new PrintStream(OutputStream.nullOutputStream()));
        if (status != 0) {
            throw new AssertionError("the storage could not be formatted");
        }
    }

    private Properties settings(int controllerPort) {
        Properties settings = new Properties();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", "1");
        settings.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
        String listeners = Stream.of(Login.values())
                .map(login -> login.listener() + "://127.0.0.1:" + ports.get(login))
                .collect(Collectors.joining(","));
        settings.put("listeners", listeners + ",CONTROLLER://127.0.0.1:" + controllerPort);
        settings.put("advertised.listeners", listeners);
        settings.put(
                "listener.security.protocol.map", "CONTROLLER:PLAINTEXT,SCRAM:SASL_SSL,CERTIFICATE:SSL,TOKEN:SASL_SSL");
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("inter.broker.listener.name", Login.SCRAM.listener());
        settings.put("sasl.mechanism.inter.broker.protocol", "SCRAM-SHA-512");
        settings.put("ssl.keystore.type", "PEM");
        settings.put(
                "ssl.keystore.location",
                certificate("broker").keyAndCertificate().toString());
        settings.put("ssl.truststore.type", "PEM");
        settings.put("ssl.truststore.location", trusted.toString());
        settings.put("listener.name.scram.sasl.enabled.mechanisms", "SCRAM-SHA-512");
        settings.put("listener.name.scram.scram-sha-512.sasl.jaas.config", SCRAM_LOGIN + login(ADMIN));
        settings.put("listener.name.certificate.ssl.client.auth", "required");
        settings.put("listener.name.certificate.ssl.principal.mapping.rules", "RULE:^CN=([^,]+),OU=tests$/$1/,DEFAULT");
        String token = "listener.name.token.";
        settings.put(token + "sasl.enabled.mechanisms", "OAUTHBEARER");
        settings.put(token + "oauthbearer.sasl.jaas.config", TOKEN_LOGIN + ";");
        settings.put(
                token + "oauthbearer.sasl.server.callback.handler.class",
                "org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler");
        settings.put(
                token + "sasl.oauthbearer.jwks.endpoint.url",
                issuer.keysEndpoint().toString());
        settings.put(token + "sasl.oauthbearer.expected.audience", "kafka");
        settings.put(token + "sasl.oauthbearer.expected.issuer", issuer.issuer());
        settings.put("authorizer.class.name", RecordingAuthorizer.class.getName());
        // The controller's own listener knows no users; only the broker comes there.
        settings.put("super.users", "User:admin;User:ANONYMOUS");
        settings.put("log.dirs", folder.resolve("log").toString());
        settings.put("auto.create.topics.enable", "false");
        settings.put("offsets.topic.num.partitions", "1");
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("transaction.state.log.num.partitions", "1");
        settings.put("transaction.state.log.replication.factor", "1");
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("group.initial.rebalance.delay.ms", "0");
        settings.put("log.cleaner.dedupe.buffer.size", "16777216");
        return settings;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        admin.close();
        server.shutdown();
        server.awaitShutdown();
        issuer.close();
        System.clearProperty(ALLOWED_URLS);
    }
}
