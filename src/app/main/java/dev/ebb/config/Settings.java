package dev.ebb.config;

import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyMode;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Every setting, in the order of its documentation. */
public final class Settings {

    private static final List<Setting<?>> ALL = new ArrayList<>();

    private static final Group KAFKA = new Group("Kafka");
    private static final Group TOPICS = new Group("Topics");
    private static final Group RETENTION = new Group("Retention");
    private static final Group STATE = new Group("State");
    private static final Group SCHEMAS = new Group("Schemas");
    private static final Group API = new Group("API");
    private static final Group SOURCES = new Group("Sources");
    private static final Group SQL = new Group("SQL mirror");
    private static final Group METRICS = new Group("Metrics");
    private static final Group LOG = new Group("Log");

    public static final Setting<String> BOOTSTRAP_SERVERS =
            KAFKA.add("bootstrap.servers", "127.0.0.1:9092", Kind.notBlank("list"), """
                The first brokers to connect to: host:port, separated by commas.\
                """);
    public static final Setting<String> APPLICATION_ID = KAFKA.add("application.id", "ebb", Kind.name(), """
        The name of the application: its consumer group, the prefix of its changelog topics and its state \
        folder. Instances with the same name share the work.\
        """);
    public static final Setting<String> PROCESSING_GUARANTEE =
            KAFKA.add("processing.guarantee", "exactly_once_v2", Kind.oneOf("exactly_once_v2", "at_least_once"), """
                With at_least_once a crash may repeat an audit record; stores and mirror still converge.\
                """);
    public static final Setting<Duration> COMMIT_INTERVAL =
            KAFKA.add("commit.interval", "3s", Kind.duration("10ms", "10s"), """
                The longest time between two commits of intake, stores and output. A commit comes sooner if a person or \
                a command waits for it, or if the partition is busy. A consumer that reads only committed records, such \
                as SQL, waits for them up to this time.\
                """);
    public static final Setting<Integer> STREAM_THREADS =
            KAFKA.add("stream.threads", 2, Kind.atLeast(1), "Threads of this instance that process partitions.");
    public static final Setting<Integer> STANDBY_REPLICAS = KAFKA.add("standby.replicas", 0, Kind.atLeast(0), """
        Copies of each partition's state on other instances. With more than one instance, 1 makes a takeover \
        fast.\
        """);
    public static final Setting<String> GROUP_PROTOCOL =
            KAFKA.add("group.protocol", "classic", Kind.oneOf("classic", "streams"), """
                The rebalance protocol. The streams protocol takes no group.instance.id and needs a broker that \
                supports it.\
                """);
    public static final Setting<Optional<String>> GROUP_INSTANCE_ID =
            KAFKA.add("group.instance.id", "", Kind.name().orEmpty(), """
                A name of this instance that stays the same across restarts (static membership), so that a restart \
                moves no partitions. Empty: the instance leaves the group when it stops.\
                """);

    public static final Setting<String> TOPICS_PREFIX =
            TOPICS.add("topics.prefix", "ebb.", Kind.name(), "Prefix of the names of all topics.");
    public static final Setting<Integer> TOPICS_PARTITIONS = TOPICS.add("topics.partitions", 4, Kind.atLeast(1), """
        Partitions of the topics; the topics for policies, assessments and the clock have one each. Fixed when the \
        topics are created: with another number, streams would move to other partitions and lose their state.\
        """);
    public static final Setting<Integer> TOPICS_REPLICATION_FACTOR =
            TOPICS.add("topics.replication.factor", 1, Kind.atLeast(1), "Replicas of each topic, changelogs included.");
    public static final Setting<Integer> TOPICS_SEGMENT_BYTES =
            TOPICS.add("topics.segment.bytes", 67_108_864, Kind.atLeast(1_048_576), """
                Segment size of compacted topics and changelogs. Only closed segments are compacted, so smaller \
                segments make restores shorter.\
                """);
    public static final Setting<Duration> TOPICS_EVENTS_RETENTION =
            TOPICS.add("topics.events.retention", "7d", Kind.duration("1h"), """
                Time for which Kafka keeps records of the events and re-key topics, counted from their timestamps. \
                Records that Kafka deletes before Ebb takes them in are lost, so the application must not be down for \
                this long.\
                """);
    public static final Setting<Duration> TOPICS_AUDIT_RETENTION = TOPICS.add(
            "topics.audit.retention", "365d", Kind.duration("1h"), "Time for which the audit topics keep a record.");
    public static final Setting<Duration> TOPICS_REPORTS_RETENTION = TOPICS.add(
            "topics.reports.retention", "30d", Kind.duration("1h"), "Time for which the reports topic keeps a record.");
    public static final Setting<Duration> TOPICS_REJECTED_RETENTION = TOPICS.add(
            "topics.rejected.retention",
            "30d",
            Kind.duration("1h"),
            "Time for which rejected records can be replayed.");
    public static final Setting<Limit> TOPICS_ARCHIVE_RETENTION =
            TOPICS.add("topics.archive.retention", "unlimited", Kind.limit("1h"), """
                Time for which the archive topic keeps a deleted event whose policy has archive: true.\
                """);
    /** Mirror tombstones must outlive the longest time that a sink may be away. */
    public static final Setting<Duration> TOPICS_TOMBSTONE_RETENTION =
            TOPICS.add("topics.tombstone.retention", "7d", Kind.duration("7d"), """
                Time for which mirror topics and changelogs remember a delete. A sink must not be away for longer. A \
                state folder that was unused for half of this time is rebuilt.\
                """);

    public static final Setting<Duration> TOPICS_MAX_COMPACTION_LAG =
            TOPICS.add("topics.max.compaction.lag", "1d", Kind.duration("1m"), """
                The longest time before Kafka compacts a record, and before a log of events is written anew and cut. \
                Both also erase deleted events from mirror topics and changelogs.\
                """);

    public static final Setting<TerminalStatuses> TERMINAL_STATUSES = RETENTION.add(
            "terminal.statuses",
            TerminalStatuses.DEFAULT.toString().replace(",", ", "),
            Kind.words().as(TerminalStatuses::new),
            """
            The statuses of finished work. Every other status protects its event from retention; an event \
            without a status is a plain fact and not protected.\
            """);
    public static final Setting<Limit> RETENTION_DEFAULT_MAX_AGE =
            RETENTION.add("retention.default.max.age", "30d", Kind.limit("1ms"), """
                The maxAge of streams for which no policy sets one.\
                """);
    public static final Setting<PolicyMode> RETENTION_DEFAULT_MODE = RETENTION.add(
            "retention.default.mode",
            "enforce",
            Kind.oneOf("enforce", "warn").as(text -> PolicyMode.parse(text).orElseThrow()),
            """
            The mode of streams for which no policy sets one. With warn, sweeps report what they would delete and \
            delete nothing.\
            """);
    public static final Setting<Boolean> INPUT_GUARD = RETENTION.add("input.guard", true, Kind.flag(), """
        Stops the instance instead of taking in records a second time, for example after the broker has forgotten the \
        group's offsets. Set to false for a single start to take the records in again.\
        """);
    public static final Setting<Boolean> SWEEP_ENABLED = RETENTION.add(
            "sweep.enabled",
            true,
            Kind.flag(),
            "Turns the sweeps of this instance on or off. Readers never see due events either way.");
    public static final Setting<Optional<Duration>> SWEEP_INTERVAL =
            RETENTION.add("sweep.interval", "", Kind.duration("1ms").orEmpty(), """
                Interval between two sweeps of a partition, in place of the interval of every policy. Empty: the \
                policies decide.\
                """);
    public static final Setting<Integer> SWEEP_BATCH_DELETES = RETENTION.add(
            "sweep.batch.deletes",
            10_000,
            Kind.atLeast(1),
            "The most deletes of a partition before its stream thread looks at the input again.");
    public static final Setting<Duration> SWEEP_SLICE = RETENTION.add("sweep.slice", "8ms", Kind.duration("1ms"), """
        The most time that a stream thread sweeps before it looks at the input again; twice as much while it carries \
        out a command. While records wait, slices begin five times this time apart, at least 40 ms and at most 1 s.\
        """);
    public static final Setting<Duration> STALE_THRESHOLD =
            RETENTION.add("stale.threshold", "24h", Kind.duration("1s"), """
                Events that stay protected for longer than this are stale work: retention never deletes them, so an \
                operator must look at them.\
                """);
    public static final Setting<Duration> GRAVE_RETENTION =
            RETENTION.add("grave.retention", "24h", Kind.duration("0ms", "365d"), """
                Lifetime of the grave that a stream leaves when delete or purge deletes it. Records that were produced \
                before the delete change nothing; events among them go to the rejected topic. Ends of executions that \
                come ahead of their events wait as long. 0ms: no graves, and no such wait.\
                """);
    public static final Setting<Duration> UNDO_MAX = RETENTION.add("undo.max", "7d", Kind.duration("0ms", "365d"), """
        The longest time for which a delete can be undone, even if the field undo of a policy says more. The trash \
        keeps deleted events for this time and a day. 0ms: nothing can be undone.\
        """);
    public static final Setting<Duration> UNDO_NOTICE =
            RETENTION.add("undo.notice", "1h", Kind.duration("0ms", "365d"), """
                Time for which streams stand under a notice after an undo has brought events of them back: no sweep, cap \
                or reader treats events of these streams as due before its end.\
                """);
    public static final Setting<Integer> BRAKE_MAX_SHARE =
            RETENTION.add("brake.max.share", 20, Kind.between(0, 100), """
                A change of policies or an erasure that would delete more than this percentage of the stored events of \
                its scope, or of one namespace, needs a confirmation; changes of policies of one hour add up. 100: \
                nothing is held back.\
                """);
    /** With 10,000 events, a policy took 980 of 1000 without a question. */
    public static final Setting<Integer> BRAKE_MIN_EVENTS =
            RETENTION.add("brake.min.events", 100, Kind.atLeast(0), """
                A change of policies or an erasure that would delete at most this many events, over all partitions, \
                needs no confirmation; of one namespace, changes of policies may delete that many in an hour.\
                """);

    public static final Setting<Duration> BRAKE_HORIZON =
            RETENTION.add("brake.horizon", "7d", Kind.duration("0ms", "365d"), """
                How far the brake looks ahead: a change of policies counts with all events that it would delete within \
                this time and the former policies would not. 0ms: it counts only what goes at once.\
                """);
    public static final Setting<Limit> CLOCK_GUARD_MAX_DIFFERENCE =
            RETENTION.add("clock.guard.max.difference", "10m", Kind.limit("1s"), """
                Sweeping stops while the clock of this instance differs from the broker's by more than this, or has \
                stepped by more than this. unlimited: the clock never stops sweeping.\
                """);
    public static final Setting<Duration> CLOCK_GUARD_INTERVAL =
            RETENTION.add("clock.guard.interval", "5s", Kind.duration("100ms", "1h"), """
                Time between two comparisons of this instance's clock with the broker's.\
                """);
    public static final Setting<Limit> CLOCK_MAX_GAP = RETENTION.add("clock.max.gap", "7d", Kind.limit("1h"), """
                The longest time by which the clock of a starting partition may be ahead of the newest time in its state. \
                Beyond it, nothing is swept or forgotten until Ebb has counted that little would go, or an operator has \
                run 'ebb policy confirm clock --reason …'. A long stop is treated like a wrong clock. unlimited: no such check.\
                """);
    public static final Setting<Integer> RECORD_MAX_BYTES =
            RETENTION.add("record.max.bytes", 1_048_576, Kind.between(65_536, 268_435_456), """
                The largest value of a record; key and headers may add 32 KiB. A larger record goes to the rejected \
                topic, and with mirror.json=on also an event with a larger row; a record above twice the limit goes \
                there without its value. Producers need a max.request.size of at least this.\
                """);
    public static final Setting<Integer> COMMANDS_MAX_BULK =
            RETENTION.add("commands.max.bulk", 64, Kind.between(2, 10_000), """
                The most unfinished commands over many streams, such as purge, erase, undo, sweep, plans and their dry \
                runs, that a partition leads and that an instance has sent; one caller may have half. Further ones are \
                refused as BUSY (429). Together they take at most 32 MiB.\
                """);
    public static final Setting<Integer> COMMANDS_MAX_SINGLE =
            RETENTION.add("commands.max.single", 1000, Kind.between(2, 100_000), """
                The same for commands on a single stream or event, which count by themselves, for each partition.\
                """);
    public static final Setting<Integer> PARKED_MAX_RECORDS =
            RETENTION.add("parked.max.records", 1_000_000, Kind.atLeast(1), """
                The most records of a partition that may wait, usually for a schema. Further records go to the \
                rejected topic as PARKED_FULL; 'ebb rejected replay' brings them back.\
                """);
    public static final Setting<Long> PARKED_MAX_BYTES =
            RETENTION.add("parked.max.bytes", 1_073_741_824, Kind.size(1), """
                The most bytes of waiting records in a partition, headers included. Waiting policies take at most 32 \
                MiB.\
                """);

    public static final Setting<Optional<Path>> RECEIPTS_KEY_FILE =
            RETENTION.add("receipts.key.file", "", Kind.optional(Path::of), """
                A file with the key that signs the checkpoints of the audit, made with 'ebb receipt key'. Empty: \
                checkpoints are not signed. A new key signs from the next start on; keep the public half of the old \
                one.\
                """);

    public static final Setting<Path> STATE_DIR = STATE.add("state.dir", "~/.ebb/state", Kind.folder(), """
        The folder of the state stores; ~ is the home of the user. Do not put it in the folder for temporary files: a \
        cleanup there deletes the state.\
        """);
    public static final Setting<Long> STATE_STREAMS_BYTES =
            STATE.add("state.streams.bytes", 134_217_728, Kind.size(0), """
                Heap memory of an instance for the streams used last: 1,000 bytes each, and 600 for each further \
                execution. All others are in the store alone, and each of their events costs a look into it.\
                """);
    public static final Setting<Long> STATE_LOOKUP_BYTES =
            STATE.add("state.lookup.bytes", 134_217_728, Kind.size(0), """
                Heap memory of an instance for fingerprints of the ids of its events, 2 to 5 bytes each. The \
                fingerprints show that an id is new without a search of the files. When the memory is full, Ebb \
                searches the files for some of the incoming events.\
                """);
    public static final Setting<Long> ROCKSDB_BLOCK_CACHE_BYTES =
            STATE.add("rocksdb.block.cache.bytes", 134_217_728, Kind.size(1_048_576), """
                Memory of an instance for blocks read from files, shared by all its stores; write buffers count \
                against it.\
                """);
    public static final Setting<Long> ROCKSDB_WRITE_BUFFER_BYTES =
            STATE.add("rocksdb.write.buffer.bytes", 67_108_864, Kind.size(1_048_576), """
                Memory of an instance for data that is not yet in a file, shared by all its stores. Must be less than \
                rocksdb.block.cache.bytes.\
                """);

    public static final Setting<String> SCHEMA_REGISTRY_URL =
            SCHEMAS.add("schema.registry.url", "http://127.0.0.1:8081", Kind.urlOrNone("http://", "https://"), """
                The schema registry: one URL, or several separated by commas. Empty: there is no registry, and all \
                records are JSON.\
                """);
    public static final Setting<Optional<String>> AVRO_SERIALIZER_CLASS =
            SCHEMAS.add("avro.serializer.class", "", Kind.optional(name -> name), """
                A Kafka serializer for Avro records that Ebb uses instead of its own. The schema.registry.* settings \
                configure it.\
                """);
    public static final Setting<Optional<String>> AVRO_DESERIALIZER_CLASS =
            SCHEMAS.add("avro.deserializer.class", "", Kind.optional(name -> name), """
                A Kafka deserializer that Ebb uses instead of its own. It must return GenericRecords; the \
                schema.registry.* settings configure it.\
                """);

    public static final Setting<Address> API_LISTEN = API.add(
            "api.listen",
            "127.0.0.1:8480",
            Kind.address(),
            "The address that serves the API, the console, health and metrics.");
    public static final Setting<Optional<Address>> HEALTH_LISTEN =
            API.add("health.listen", "", Kind.address().orEmpty(), """
                A second address that serves only /health/*, over plain HTTP and with threads of its own: it answers \
                probes even when the API is overloaded. Empty: only api.listen serves health.\
                """);
    public static final Setting<Optional<Address>> API_ADVERTISED =
            API.add("api.advertised", "", Kind.address().orEmpty(), """
                The address at which users and other instances reach the API of this instance. Empty: api.listen.\
                """);
    public static final Setting<PublicUrls> API_PUBLIC_URLS = API.add("api.public.urls", "", Kind.publicUrls(), """
        Addresses at which browsers reach the console through a proxy, such as one that ends TLS; separated by commas. \
        Pages from these addresses may write. Empty: only pages from the API itself may.\
        """);
    public static final Setting<Optional<Path>> API_TOKENS_FILE =
            API.add("api.tokens.file", "", Kind.optional(Path::of), """
                A file of tokens, made with 'ebb token create'. Empty: all callers that reach the API may do \
                everything. A change of the file takes effect within a second.\
                """);
    public static final Setting<String> API_OIDC_ISSUER =
            API.add("api.oidc.issuer", "", Kind.urlOrNone("https://", "http://"), """
                The OpenID Connect issuer whose tokens are accepted, beside those of api.tokens.file: its address, as it \
                names itself. http:// on loopback alone. Empty: no issuer.\
                """);
    public static final Setting<List<String>> API_OIDC_AUDIENCE = API.add("api.oidc.audience", "", Kind.words(), """
                The audiences for which a token of the issuer may be, separated by commas; it must have one of them.\
                """);
    public static final Setting<String> API_OIDC_ROLES_CLAIM =
            API.add("api.oidc.roles.claim", "roles", Kind.notBlank("text"), """
                The claim with the roles of the person: a list, or a text with blanks between them. Dots lead into \
                objects, such as realm_access.roles. A person may have several roles.\
                """);
    public static final Setting<Map<String, String>> API_OIDC_ROLES =
            API.add("api.oidc.roles", "", Kind.pairs("viewer", "operator", "eraser", "restorer", "admin"), """
                The role for each value of that claim, such as privacy-team=eraser,platform=admin; other values mean \
                nothing. Empty: the values are viewer, operator, eraser, restorer and admin.\
                """);
    public static final Setting<String> API_OIDC_NAME_CLAIM =
            API.add("api.oidc.name.claim", "preferred_username", Kind.notBlank("text"), """
                The claim with the name of the person in the audit. It must be one that people cannot change; sub, the \
                subject, takes its place where it is missing or not made of letters, digits, '.', '_', '@', '+' and '-'.\
                """);
    public static final Setting<String> API_OIDC_CLIENT = API.add("api.oidc.client", "", Kind.text(), """
                The identifier under which the issuer knows the console, for its login by the code flow with PKCE. The \
                issuer must allow the address of the console, with a '/' at its end, to redirect to. Empty: the console \
                asks for a token.\
                """);
    public static final Setting<String> API_OIDC_CLIENT_SECRET = API.add(
            "api.oidc.client.secret",
            "",
            Kind.text(),
            "The secret of that client. Empty for a public client, which PKCE alone protects.");
    public static final Setting<Optional<Path>> API_OIDC_CA_FILE =
            API.add("api.oidc.ca.file", "", Kind.optional(Path::of), """
                The certificates, in PEM, that the issuer may have or descend from. Empty: those that Java trusts.\
                """);
    public static final Setting<String> API_SECOND_PERSON =
            API.add("api.second.person", "off", Kind.oneOf("off", "on"), """
                on: some requests need another person than the one who prepared them. A change that the brake holds back \
                is confirmed by another person than its author; a plan of policies or of an erasure is carried out by \
                another person than the one who made it, and no erasure goes without a plan; a hold is released by \
                another person than the one who placed it.\
                """);
    public static final Setting<Optional<Path>> API_TLS_CERTIFICATE =
            API.add("api.tls.certificate", "", Kind.optional(Path::of), """
                The certificate of the API with its chain, in PEM. Empty: plain HTTP. A renewed certificate takes \
                effect without a restart.\
                """);
    public static final Setting<Optional<Path>> API_TLS_KEY = API.add(
            "api.tls.key",
            "",
            Kind.optional(Path::of),
            "The key of api.tls.certificate, in PEM (PKCS#8, not encrypted).");
    public static final Setting<Boolean> API_INSECURE = API.add("api.insecure", false, Kind.flag(), """
        Allows an api.listen that is not loopback without api.tokens.file and api.tls.certificate, and api.public.urls \
        without api.tokens.file. Without tokens, all callers that reach the address may write policies and so delete \
        data; without TLS, a listener on the way reads tokens and events.\
        """);
    public static final Setting<Integer> API_MAX_BODY_BYTES =
            API.add("api.max.body.bytes", 8_388_608, Kind.between(1024, 268_435_456), """
                The largest body of a request. It must arrive within 60 s.\
                """);
    public static final Setting<Integer> API_MAX_REQUESTS = API.add("api.max.requests", 128, Kind.between(2, 200), """
        The most requests that are answered at the same time. One caller, a token or an address, gets at most half of \
        them. Holds, and deletes of one stream or event, have a few places more.\
        """);
    public static final Setting<Integer> API_MAX_RATE = API.add("api.max.rate", 500, Kind.between(1, 1_000_000), """
        The most requests a second from one caller. A burst may have twice as many.\
        """);
    public static final Setting<Integer> API_MAX_CONNECTIONS =
            API.add("api.max.connections.per.address", 200, Kind.between(1, 1000), """
                The most open connections of one address; all addresses together may have 1000. A further connection \
                takes the place of the one that has been idle for longest; if none is idle, the new connection is \
                refused.\
                """);
    public static final Setting<String> API_PEER_SECRET = API.add("api.peer.secret", "", Kind.text(), """
        A secret that only the instances know. With it, an instance asks others for streams that it does not hold. \
        Empty: only instances on the same machine ask each other, over the loopback address. If instances run on \
        several machines, set the same secret on all of them.\
        """);
    public static final Setting<Optional<Path>> API_PEER_SECRET_FILE =
            API.add("api.peer.secret.file", "", Kind.optional(Path::of), """
                A file that holds the secret, instead of api.peer.secret.\
                """);
    public static final Setting<Optional<Path>> API_PEER_CA_FILE =
            API.add("api.peer.ca.file", "", Kind.optional(Path::of), """
                Certificates in PEM that verify the certificates of other instances, where the API speaks TLS. Empty: \
                the chain in api.tls.certificate. Read at the start.\
                """);

    public static final Setting<List<String>> SOURCES_PLUGIN_PATH =
            SOURCES.add("sources.plugin.path", "", Kind.words(), """
                Folders with converters and transformations of Kafka Connect for sources, separated by commas. Each jar and \
                each folder of jars in them is a plugin with its own libraries, as in Connect's plugin.path.\
                """);
    public static final Setting<Integer> SOURCES_MAX_LAG_RECORDS =
            SOURCES.add("sources.max.lag.records", 1000, Kind.atLeast(1), """
                The most records that a partition of a source may have to read while sweeps send tombstones: newer \
                versions of rows may be among them.\
                """);
    public static final Setting<Duration> SOURCES_MAX_LAG_TIME =
            SOURCES.add("sources.max.lag.time", "5s", Kind.duration("1s"), """
                The longest wait of a record of a source while sweeps send tombstones.\
                """);

    public static final Setting<Duration> SOURCES_TRUNCATE_INTERVAL =
            SOURCES.add("sources.truncate.interval", "1m", Kind.duration("100ms"), """
                Time between two looks at the starts of logs with the target truncate.\
                """);

    public static final Setting<Optional<String>> SQL_URL =
            SQL.add("sql.url", "", Kind.url("jdbc:postgresql:").orEmpty(), """
                The database of the mirror. Empty: there is no mirror, and Ebb makes no tables.\
                """);
    public static final Setting<String> SQL_USER =
            SQL.add("sql.user", "", Kind.text(), "The user that owns the tables of the mirror.");
    public static final Setting<String> SQL_PASSWORD =
            SQL.add("sql.password", "", Kind.text(), "The password of sql.user.");
    public static final Setting<Optional<Path>> SQL_PASSWORD_FILE = SQL.add(
            "sql.password.file",
            "",
            Kind.optional(Path::of),
            "A file that holds the password, instead of sql.password.");
    public static final Setting<List<URI>> CONNECT_URLS = SQL.add("connect.urls", "", Kind.urls(), """
            The REST addresses of the Kafka Connect workers whose sinks fill the mirror, separated by commas. Ebb asks \
            one, and another if nothing answers there. Empty: Ebb does not watch the sinks.\
            """);
    public static final Setting<String> CONNECT_AUTH =
            SQL.add("connect.auth", "none", Kind.oneOf("none", "basic", "bearer"), """
                The way in which Ebb shows Connect, or the proxy before it, who asks. basic: user and password; \
                bearer: a token. Either comes from connect.auth.file.\
                """);
    public static final Setting<Optional<Path>> CONNECT_AUTH_FILE =
            SQL.add("connect.auth.file", "", Kind.optional(Path::of), """
                A file with one line: user:password for connect.auth=basic, the token for connect.auth=bearer. It is \
                read for each request, so a changed file needs no restart.\
                """);
    public static final Setting<Optional<Path>> CONNECT_CA_FILE =
            SQL.add("connect.ca.file", "", Kind.optional(Path::of), """
                The certificates, in PEM, that https addresses of Connect may have or descend from. Empty: those that \
                Java trusts.\
                """);
    public static final Setting<String> CONNECT_SINK =
            SQL.add("connect.sink", "ebb", Kind.oneOf("ebb", "debezium", "auto"), """
                The sink that writes the mirror. ebb: the faster sink that comes with Ebb; the Connect worker needs \
                its folder ebb-sink in the plugin path. debezium: the Debezium JDBC sink. auto: the first of these that \
                the worker has, or else the JDBC sink of Aiven or Confluent; all but that of Ebb need mirror.json=on.\
                """);
    public static final Setting<String> MIRROR_JSON = SQL.add("mirror.json", "off", Kind.oneOf("off", "on"), """
                on: the rows of events are sent to the topic mirror.events as well, as plain JSON, for any consumer. \
                The sink that comes with Ebb needs no such topic: it reads the log of the events. connect.sink=debezium \
                needs it.\
                """);
    public static final Setting<Optional<Path>> CONNECT_CONFIG_DIR =
            SQL.add("connect.config.dir", "", Kind.optional(Path::of), """
                A folder of sink configurations (*.json). Ebb creates these sinks and keeps their configurations as in \
                the files. Empty: the configurations that come with Ebb for connect.sink.\
                """);

    public static final Setting<String> METRICS_OTLP_ENDPOINT =
            METRICS.add("metrics.otlp.endpoint", "", Kind.urlOrNone("https://", "http://"), """
                A collector of OpenTelemetry that gets all metrics, beside /metrics: its address without a path, such as \
                http://collector:4318, by HTTP. Headers, certificates, resource attributes and timeouts come from the \
                standard variables, such as OTEL_EXPORTER_OTLP_HEADERS. Empty: no collector.\
                """);
    public static final Setting<Duration> METRICS_OTLP_INTERVAL = METRICS.add(
            "metrics.otlp.interval",
            "60s",
            Kind.duration("1s", "1h"),
            "Time between two exports to metrics.otlp.endpoint, in whole seconds.");

    public static final Setting<String> LOG_FORMAT = LOG.add("log.format", "text", Kind.oneOf("text", "json"), """
        Format of the log that 'ebb run' writes to standard error: lines of text, or one JSON object a line, with \
        the field names of the Elastic Common Schema.\
        """);

    private Settings() {}

    static List<Setting<?>> all() {
        return Collections.unmodifiableList(ALL);
    }

    /** Returns the setting with that key; empty if there is none. */
    static Optional<Setting<?>> find(String key) {
        return ALL.stream().filter(setting -> setting.key().equals(key)).findFirst();
    }

    /** Settings that belong together. */
    private record Group(String name) {

        <T> Setting<T> add(String key, Object standard, Kind<T> kind, String meaning) {
            var setting = new Setting<>(key, name, standard.toString(), kind, meaning);
            ALL.add(setting);
            return setting;
        }
    }
}
