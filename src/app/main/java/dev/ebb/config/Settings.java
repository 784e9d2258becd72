package dev.ebb.config;

import dev.ebb.domain.event.TerminalStatuses;
import java.util.List;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Width;

/** Every setting: its name, type, default, allowed values, group and description. */
public final class Settings {

    public static final String APPLICATION_ID = "application.id";
    public static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
    public static final String PROCESSING_GUARANTEE = "processing.guarantee";
    public static final String COMMIT_INTERVAL = "commit.interval";
    public static final String STREAM_THREADS = "stream.threads";
    public static final String STANDBY_REPLICAS = "standby.replicas";
    public static final String GROUP_PROTOCOL = "group.protocol";
    public static final String GROUP_INSTANCE_ID = "group.instance.id";

    public static final String TOPICS_PREFIX = "topics.prefix";
    public static final String TOPICS_PARTITIONS = "topics.partitions";
    public static final String TOPICS_REPLICATION_FACTOR = "topics.replication.factor";
    public static final String TOPICS_SEGMENT_BYTES = "topics.segment.bytes";
    public static final String TOPICS_EVENTS_RETENTION = "topics.events.retention";
    public static final String TOPICS_AUDIT_RETENTION = "topics.audit.retention";
    public static final String TOPICS_REPORTS_RETENTION = "topics.reports.retention";
    public static final String TOPICS_REJECTED_RETENTION = "topics.rejected.retention";
    public static final String TOPICS_ARCHIVE_RETENTION = "topics.archive.retention";
    public static final String TOPICS_TOMBSTONE_RETENTION = "topics.tombstone.retention";
    public static final String TOPICS_MAX_COMPACTION_LAG = "topics.max.compaction.lag";

    public static final String TERMINAL_STATUSES = "terminal.statuses";
    public static final String RETENTION_DEFAULT_MAX_AGE = "retention.default.max.age";
    public static final String RETENTION_DEFAULT_MODE = "retention.default.mode";
    public static final String INPUT_GUARD = "input.guard";
    public static final String SWEEP_ENABLED = "sweep.enabled";
    public static final String SWEEP_INTERVAL = "sweep.interval";
    public static final String BRAKE_MAX_SHARE = "brake.max.share";
    public static final String BRAKE_MIN_EVENTS = "brake.min.events";
    public static final String SWEEP_BATCH_DELETES = "sweep.batch.deletes";
    public static final String SWEEP_SLICE = "sweep.slice";
    public static final String STALE_THRESHOLD = "stale.threshold";
    public static final String GRAVE_RETENTION = "grave.retention";
    public static final String CLOCK_GUARD_MAX_DIFFERENCE = "clock.guard.max.difference";
    public static final String CLOCK_GUARD_INTERVAL = "clock.guard.interval";
    public static final String RECORD_MAX_BYTES = "record.max.bytes";
    public static final String PARKED_MAX_RECORDS = "parked.max.records";
    public static final String PARKED_MAX_BYTES = "parked.max.bytes";

    public static final String STATE_DIR = "state.dir";
    public static final String STATE_CACHE_BYTES = "state.cache.bytes";
    public static final String STATE_LOOKUP_BYTES = "state.lookup.bytes";
    public static final String ROCKSDB_BLOCK_CACHE_BYTES = "rocksdb.block.cache.bytes";
    public static final String ROCKSDB_WRITE_BUFFER_BYTES = "rocksdb.write.buffer.bytes";

    public static final String SCHEMA_REGISTRY_URL = "schema.registry.url";
    public static final String AVRO_SERIALIZER_CLASS = "avro.serializer.class";
    public static final String AVRO_DESERIALIZER_CLASS = "avro.deserializer.class";

    public static final String API_LISTEN = "api.listen";
    public static final String API_ADVERTISED = "api.advertised";
    public static final String API_INSECURE = "api.insecure";
    public static final String API_PEER_SECRET = "api.peer.secret";
    public static final String API_PEER_SECRET_FILE = "api.peer.secret.file";
    public static final String API_PEER_CA_FILE = "api.peer.ca.file";

    public static final String API_TOKENS_FILE = "api.tokens.file";
    public static final String API_TLS_CERTIFICATE = "api.tls.certificate";
    public static final String API_TLS_KEY = "api.tls.key";
    public static final String API_MAX_BODY_BYTES = "api.max.body.bytes";
    public static final String API_MAX_REQUESTS = "api.max.requests";
    public static final String API_MAX_RATE = "api.max.rate";
    public static final String API_MAX_CONNECTIONS = "api.max.connections.per.address";
    public static final String HEALTH_LISTEN = "health.listen";

    public static final String SQL_URL = "sql.url";
    public static final String SQL_USER = "sql.user";
    public static final String SQL_PASSWORD = "sql.password";
    public static final String SQL_PASSWORD_FILE = "sql.password.file";
    public static final String CONNECT_URL = "connect.url";
    public static final String CONNECT_CONFIG_DIR = "connect.config.dir";

    public static final String LOG_FORMAT = "log.format";

    /** Mirror tombstones must outlive the longest time that a sink may be away. */
    static final String MIN_TOMBSTONE_RETENTION = "7d";

    private static final ConfigDef DEFINITIONS = new ConfigDef();

    static {
        defineKafka(new Group("Kafka"));
        defineTopics(new Group("Topics"));
        defineRetention(new Group("Retention"));
        defineState(new Group("State"));
        defineSchemas(new Group("Schemas"));
        defineApi(new Group("API"));
        defineSql(new Group("SQL mirror"));
        defineLog(new Group("Log"));
    }

    private Settings() {}

    /** All settings in the order of their documentation. */
    static List<ConfigDef.ConfigKey> all() {
        return DEFINITIONS.configKeys().values().stream()
                .sorted((a, b) -> a.orderInGroup - b.orderInGroup)
                .toList();
    }

    static ConfigDef definitions() {
        return DEFINITIONS;
    }

    static Rule ruleOf(ConfigDef.ConfigKey key) {
        return (Rule) key.validator;
    }

    private static void defineKafka(Group group) {
        group.text(BOOTSTRAP_SERVERS, "127.0.0.1:9092", Rule.notBlank("list"), """
                The brokers to begin with, host:port separated by commas.""");
        group.text(APPLICATION_ID, "ebb", Rule.name(), """
                The name of the application: its consumer group, the prefix of its changelog topics and its state \
                folder. Instances with the same name share the work.""");
        group.text(PROCESSING_GUARANTEE, "exactly_once_v2", Rule.oneOf("exactly_once_v2", "at_least_once"), """
                With at_least_once a crash may repeat an audit record; stores and mirror still converge.""");
        group.text(COMMIT_INTERVAL, "1s", Rule.duration("10ms", "10s"), """
                How often what was read, stored and sent is committed. Consumers that read committed records see them \
                after this time.""");
        group.number(STREAM_THREADS, 2, 1, "Threads of this instance that process partitions.");
        group.number(STANDBY_REPLICAS, 0, 0, """
                Copies of each partition's state on other instances. With more than one instance, 1 makes a takeover \
                fast.""");
        group.text(GROUP_PROTOCOL, "classic", Rule.oneOf("classic", "streams"), """
                The rebalance protocol. The streams protocol takes no group.instance.id and needs a broker that \
                offers it.""");
        group.text(GROUP_INSTANCE_ID, "", Rule.nameOrEmpty(), """
                A name of this instance that outlives its restarts (static membership): a restart then moves no \
                partitions. Empty: the instance leaves the group when it stops.""");
    }

    private static void defineTopics(Group group) {
        group.text(TOPICS_PREFIX, "ebb.", Rule.name(), "Prefix of the names of all topics.");
        group.number(TOPICS_PARTITIONS, 4, 1, """
                Partitions of the events, re-key and mirror topics. Fixed when the topics are created: with another \
                number, streams would change their partition and lose their state.""");
        group.number(TOPICS_REPLICATION_FACTOR, 1, 1, "Replicas of each topic, changelogs included.");
        group.number(TOPICS_SEGMENT_BYTES, 67_108_864, 1_048_576, """
                Segment size of compacted topics and changelogs. Only closed segments are compacted, so smaller ones \
                make restores shorter.""");
        group.text(TOPICS_EVENTS_RETENTION, "7d", Rule.duration("1h"), """
                How long Kafka keeps records of the events topic, counted from their timestamps. They have been \
                stored long before, unless the application is away for this time.""");
        group.text(TOPICS_AUDIT_RETENTION, "365d", Rule.duration("1h"), "How long the audit topics keep a record.");
        group.text(TOPICS_REPORTS_RETENTION, "30d", Rule.duration("1h"), "How long the reports topic keeps a record.");
        group.text(TOPICS_REJECTED_RETENTION, "30d", Rule.duration("1h"), "How long rejected records can be replayed.");
        group.text(TOPICS_ARCHIVE_RETENTION, "unlimited", Rule.durationOrUnlimited("1h"), """
                How long the archive topic keeps a deleted event, where a policy asks for archive.""");
        group.text(TOPICS_TOMBSTONE_RETENTION, MIN_TOMBSTONE_RETENTION, Rule.duration(MIN_TOMBSTONE_RETENTION), """
                How long mirror topics and changelogs remember a delete. A sink must not be away for longer; a state \
                folder that was not in use for half of it is rebuilt.""");
        group.text(TOPICS_MAX_COMPACTION_LAG, "1d", Rule.duration("1m"), """
                After this time compaction may no longer wait: what was deleted is also erased from mirror topics and \
                changelogs.""");
    }

    private static void defineRetention(Group group) {
        group.text(TERMINAL_STATUSES, TerminalStatuses.DEFAULT.toString().replace(",", ", "), Rule.words(), """
                The statuses of finished work. Every other status protects its event from retention; an event \
                without a status is a plain fact and not protected.""");
        group.text(RETENTION_DEFAULT_MAX_AGE, "30d", Rule.durationOrUnlimited("1ms"), """
                The maxAge of streams for which no policy sets one.""");
        group.text(RETENTION_DEFAULT_MODE, "enforce", Rule.oneOf("enforce", "warn"), """
                The mode of streams for which no policy sets one. With warn, sweeps report what they would delete and \
                delete nothing.""");
        group.flag(INPUT_GUARD, true, """
                Refuses records that the state has already taken in, for example after the broker has forgotten the \
                group's offsets. Set to false for a single start to take them in again.""");
        group.flag(SWEEP_ENABLED, true, "Whether this instance deletes what is due. Readers never see it either way.");
        group.text(SWEEP_INTERVAL, "", Rule.durationOrEmpty("1ms"), """
                How often each partition is swept, in place of the interval of every policy. Empty: the policies \
                decide.""");
        group.number(SWEEP_BATCH_DELETES, 10_000, 1, "The most deletes between two looks at the input.");
        group.text(SWEEP_SLICE, "8ms", Rule.duration("1ms"), """
                The most time of a stream thread that sweeping takes between two looks at the input. While records wait, \
                the next slice begins five times as long after it, at least 40 ms and at most 1 s.""");
        group.text(STALE_THRESHOLD, "24h", Rule.duration("1s"), """
                Events that are protected for longer than this are stale work: retention will never remove them, so \
                an operator must look at them.""");
        group.text(GRAVE_RETENTION, "24h", Rule.duration("0ms", "365d"), """
                How long a stream that delete or purge has deleted leaves a grave: records that were produced before \
                change nothing, and such events go to the rejected topic. 0ms: no graves.""");
        group.number(BRAKE_MAX_SHARE, 20, Rule.between(0, 100), """
                A change of policies that would delete more percent of the stored events of its scope at once waits \
                until an operator confirms it. 100: nothing is ever held back.""");
        group.number(BRAKE_MIN_EVENTS, 10_000, 0, """
                A change of policies that would delete no more events than this at once, over all partitions, needs \
                no confirmation.""");
        group.text(CLOCK_GUARD_MAX_DIFFERENCE, "10m", Rule.durationOrUnlimited("1s"), """
                Sweeping stops while the clock of this instance differs from the broker's by more than this, or has \
                stepped by more than this. unlimited: it never stops for that.""");
        group.text(CLOCK_GUARD_INTERVAL, "5s", Rule.duration("100ms", "1h"), """
                How often the clock of this instance is compared with the broker's.""");
        group.number(RECORD_MAX_BYTES, 1_048_576, Rule.between(65_536, 268_435_456), """
                Largest value of a record; key and headers may add 32 KiB. A larger record, or an event with a larger \
                mirror row, goes to the rejected topic. Above twice the limit it goes without its value. Producers need \
                a max.request.size of at least this.""");
        group.number(PARKED_MAX_RECORDS, 1_000_000, Rule.atLeast(1), """
                Most records of a partition that may wait, usually for a schema. Further records go to the rejected \
                topic as PARKED_FULL; ebb rejected replay brings them back.""");
        group.size(PARKED_MAX_BYTES, 1_073_741_824, 1, """
                Most bytes of waiting records in a partition, headers included. Waiting policies take 32 MiB at the most.""");
    }

    private static void defineState(Group group) {
        group.text(STATE_DIR, "~/.ebb/state", Rule.notBlank("folder"), """
                Where the state stores are kept; ~ is the home of the user. Must not lie in the folder for temporary \
                files.""");
        group.size(STATE_CACHE_BYTES, 1_048_576, 0, """
                Memory of an instance for usage records that wait for the next commit, which writes all of them at once: \
                the more there are, the longer it holds up the streams. With less than its busy streams need, a record \
                of the usage is written with nearly each event.""");
        group.size(STATE_LOOKUP_BYTES, 134_217_728, 0, """
                Memory of an instance, on its heap, for fingerprints of the ids of its events, 5 to 11 bytes each, so that \
                an event with a new id is not searched for in the files. When there are more ids than it suffices for, \
                some of them are searched for.""");
        group.size(ROCKSDB_BLOCK_CACHE_BYTES, 134_217_728, 1_048_576, """
                Memory of an instance for blocks that were read, shared by all its stores; write buffers count \
                against it.""");
        group.size(ROCKSDB_WRITE_BUFFER_BYTES, 67_108_864, 1_048_576, """
                Memory of an instance for what is not yet in a file, shared by all its stores. Less than the block \
                cache.""");
    }

    private static void defineSchemas(Group group) {
        group.text(SCHEMA_REGISTRY_URL, "http://127.0.0.1:8081", Rule.url("http://", "https://"), """
                The schema registry, several URLs separated by commas.""");
        group.text(AVRO_SERIALIZER_CLASS, "", Rule.text(), """
                A Kafka serializer for Avro records that takes the place of the own one. It is configured with the \
                schema.registry.* settings.""");
        group.text(AVRO_DESERIALIZER_CLASS, "", Rule.text(), """
                A Kafka deserializer that takes the place of the own one and returns GenericRecords.""");
    }

    private static void defineApi(Group group) {
        group.text(API_LISTEN, "127.0.0.1:8480", Rule.address(), "Where REST, health and metrics are offered.");
        group.text(HEALTH_LISTEN, "", Rule.addressOrEmpty(), """
                Where health is offered once more, over plain HTTP and nothing else with it: probes are answered there \
                whatever the API has to bear. Empty: only at api.listen.""");
        group.text(API_ADVERTISED, "", Rule.addressOrEmpty(), """
                Where other instances and users reach the API of this one. Empty: api.listen.""");
        group.text(API_TOKENS_FILE, "", Rule.text(), """
                A file of tokens, made with 'ebb token create'. Empty: whoever reaches the API may do everything. A \
                changed file is in force within a second.""");
        group.text(API_TLS_CERTIFICATE, "", Rule.text(), """
                The certificate of the API with its chain, in PEM. Empty: plain HTTP. A renewed one is taken \
                without a restart.""");
        group.text(API_TLS_KEY, "", Rule.text(), "The key of that certificate, in PEM (PKCS#8, not encrypted).");
        group.flag(API_INSECURE, false, """
                Allows api.listen on an address that is not loopback without api.tokens.file and api.tls.certificate. \
                Without tokens whoever reaches the address may write policies and with that delete data; without TLS \
                whoever listens on the way reads tokens and events.""");
        group.number(API_MAX_BODY_BYTES, 8_388_608, Rule.between(1024, 268_435_456), """
                The biggest body of a request. It has to arrive within 60 s.""");
        group.number(API_MAX_REQUESTS, 128, Rule.between(2, 200), """
                Requests that are answered at the same time. One caller, a token or an address, takes half of them at \
                most.""");
        group.number(API_MAX_RATE, 500, Rule.between(1, 1_000_000), """
                Requests that one caller may send each second, twice as many at once.""");
        group.number(API_MAX_CONNECTIONS, 200, Rule.between(1, 1000), """
                Connections that one address may have open, of the 1000 that all may. One more closes the one that has \
                been idle for longest.""");
        group.password(API_PEER_SECRET, """
                Secret that only the instances know; with it an instance asks another for streams that it does not keep. \
                Empty: only instances on the same machine ask each other, over the loopback address. With instances on \
                several machines, set the same on all of them.""");
        group.text(API_PEER_SECRET_FILE, "", Rule.text(), """
                A file that holds the secret, instead of api.peer.secret.""");
        group.text(API_PEER_CA_FILE, "", Rule.text(), """
                Certificates that those of other instances are checked with where the API speaks TLS, in PEM. Empty: the \
                chain in api.tls.certificate. Read at the start.""");
    }

    private static void defineSql(Group group) {
        group.text(SQL_URL, "", Rule.urlOrEmpty("jdbc:postgresql:"), """
                The database of the mirror. Empty: there is no mirror, and no table is made.""");
        group.text(SQL_USER, "", Rule.text(), "The user that owns the tables of the mirror.");
        group.password(SQL_PASSWORD, "The password of sql.user.");
        group.text(SQL_PASSWORD_FILE, "", Rule.text(), "A file that holds the password, instead of sql.password.");
        group.text(CONNECT_URL, "", Rule.urlOrEmpty("http://", "https://"), """
                The REST address of the Kafka Connect worker whose sinks fill the mirror. Empty: the sinks are not \
                watched.""");
        group.text(CONNECT_CONFIG_DIR, "", Rule.text(), """
                A folder with the configurations of the sinks (*.json), created and kept as they stand there. Empty: \
                those that come with Ebb.""");
    }

    private static void defineLog(Group group) {
        group.text(LOG_FORMAT, "text", Rule.oneOf("text", "json"), """
                How 'ebb run' writes its log to the error stream: lines for people, or one JSON object a line.""");
    }

    /** Settings that belong together. */
    private record Group(String name) {

        void text(String key, String value, Rule rule, String doc) {
            define(key, ConfigDef.Type.STRING, value, rule, doc);
        }

        void flag(String key, boolean value, String doc) {
            define(key, ConfigDef.Type.BOOLEAN, value, Rule.flag(), doc);
        }

        void number(String key, int value, int min, String doc) {
            number(key, value, Rule.atLeast(min), doc);
        }

        void number(String key, int value, Rule rule, String doc) {
            define(key, ConfigDef.Type.INT, value, rule, doc);
        }

        void size(String key, long value, long min, String doc) {
            define(key, ConfigDef.Type.LONG, value, Rule.atLeast(min), doc);
        }

        void password(String key, String doc) {
            define(key, ConfigDef.Type.PASSWORD, "", Rule.text(), doc);
        }

        private void define(String key, ConfigDef.Type type, Object value, Rule rule, String doc) {
            int order = DEFINITIONS.configKeys().size();
            DEFINITIONS.define(key, type, value, rule, Importance.MEDIUM, doc, name, order, Width.MEDIUM, key);
        }
    }
}
