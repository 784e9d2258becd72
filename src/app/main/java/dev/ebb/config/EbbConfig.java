package dev.ebb.config;

import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Durations;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyMode;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.AbstractConfig;

/**
 * All settings as values. Immutable; prints no secret.
 *
 * <p>A setting is taken from the strongest source that names it: built-in default &lt; file ({@code --config} or {@code
 * EBB_CONFIG}) &lt; environment ({@code EBB_} and the key in upper case with underscores for dots) &lt; flags ({@code
 * --set key=value}). Keys that begin with {@code kafka.} go to every Kafka client without the prefix, keys that begin
 * with {@code schema.registry.} to the client of the registry. A key that ends in {@code .password.file} or {@code .secret.file} names a file
 * that holds the value of the key without {@code .file}.
 */
public final class EbbConfig {

    private final AbstractConfig values;
    private final Map<String, String> given;

    private EbbConfig(Map<String, String> given) {
        this.given = Map.copyOf(given);
        this.values = new AbstractConfig(Settings.definitions(), given, false);
    }

    /**
     * Reads and checks all sources.
     *
     * @throws ConfigProblemsException if a key is not known or a value is not good; it names all of them
     */
    public static EbbConfig load(ConfigSources sources) {
        return new EbbConfig(new ConfigCheck(sources).texts());
    }

    /** The consumer group, and the prefix of changelog topics. */
    public String applicationId() {
        return values.getString(Settings.APPLICATION_ID);
    }

    /** The first brokers, separated by commas. */
    public String bootstrapServers() {
        return values.getString(Settings.BOOTSTRAP_SERVERS);
    }

    /** Settings given with the prefix {@code kafka.}, without the prefix. */
    public Map<String, String> kafkaProperties() {
        return PassThrough.strip(PassThrough.KAFKA, given);
    }

    public boolean isExactlyOnce() {
        return values.getString(Settings.PROCESSING_GUARANTEE).startsWith("exactly");
    }

    public Duration commitInterval() {
        return duration(Settings.COMMIT_INTERVAL);
    }

    public int streamThreads() {
        return values.getInt(Settings.STREAM_THREADS);
    }

    public int standbyReplicas() {
        return values.getInt(Settings.STANDBY_REPLICAS);
    }

    /** {@code classic} or {@code streams}. */
    public String groupProtocol() {
        return values.getString(Settings.GROUP_PROTOCOL);
    }

    /** The name for static membership; empty if membership is dynamic. */
    public Optional<String> groupInstanceId() {
        return optional(Settings.GROUP_INSTANCE_ID);
    }

    public String topicsPrefix() {
        return values.getString(Settings.TOPICS_PREFIX);
    }

    public int topicsPartitions() {
        return values.getInt(Settings.TOPICS_PARTITIONS);
    }

    public int topicsReplicationFactor() {
        return values.getInt(Settings.TOPICS_REPLICATION_FACTOR);
    }

    public int topicsSegmentBytes() {
        return values.getInt(Settings.TOPICS_SEGMENT_BYTES);
    }

    public Duration eventsRetention() {
        return duration(Settings.TOPICS_EVENTS_RETENTION);
    }

    public Duration auditRetention() {
        return duration(Settings.TOPICS_AUDIT_RETENTION);
    }

    public Duration reportsRetention() {
        return duration(Settings.TOPICS_REPORTS_RETENTION);
    }

    public Duration rejectedRetention() {
        return duration(Settings.TOPICS_REJECTED_RETENTION);
    }

    /** Time for which deleted events are kept where a policy asks for it, in milliseconds. */
    public Limit archiveRetention() {
        return limit(Settings.TOPICS_ARCHIVE_RETENTION);
    }

    /** Time for which mirror topics and changelogs remember deletes, at least 7 days. */
    public Duration tombstoneRetention() {
        return duration(Settings.TOPICS_TOMBSTONE_RETENTION);
    }

    public Duration maxCompactionLag() {
        return duration(Settings.TOPICS_MAX_COMPACTION_LAG);
    }

    public TerminalStatuses terminalStatuses() {
        String text = values.getString(Settings.TERMINAL_STATUSES);
        return new TerminalStatuses(text.isEmpty() ? List.of() : Arrays.asList(text.split(",", -1)));
    }

    /** The built-in {@code maxAge} of {@code *}, in milliseconds. */
    public Limit defaultMaxAge() {
        return limit(Settings.RETENTION_DEFAULT_MAX_AGE);
    }

    /** The built-in {@code mode} of {@code *}. */
    public PolicyMode defaultMode() {
        return PolicyMode.parse(values.getString(Settings.RETENTION_DEFAULT_MODE))
                .orElseThrow();
    }

    public boolean isSweepEnabled() {
        return values.getBoolean(Settings.SWEEP_ENABLED);
    }

    /** Whether records are refused that the state has taken in before. */
    public boolean isInputGuarded() {
        return values.getBoolean(Settings.INPUT_GUARD);
    }

    /** Interval that takes the place of every policy's; empty if the policies decide. */
    public Optional<Duration> sweepInterval() {
        return optional(Settings.SWEEP_INTERVAL).map(text -> Duration.ofMillis(Durations.parseMs(text)));
    }

    public int sweepBatchDeletes() {
        return values.getInt(Settings.SWEEP_BATCH_DELETES);
    }

    /** Work that is protected for longer is stale. */
    public Duration staleThreshold() {
        return duration(Settings.STALE_THRESHOLD);
    }

    /** Time for which the delete of a stream by a command is remembered; 0: not at all. */
    public Duration graveRetention() {
        return duration(Settings.GRAVE_RETENTION);
    }

    /** Percentage of the events of its scope that a change of policies may delete at once without a confirmation. */
    public int brakeMaxShare() {
        return values.getInt(Settings.BRAKE_MAX_SHARE);
    }

    /** Number of events that a change of policies may delete at once in any case. */
    public int brakeMinEvents() {
        return values.getInt(Settings.BRAKE_MIN_EVENTS);
    }

    public Duration sweepSlice() {
        return duration(Settings.SWEEP_SLICE);
    }

    /** Most difference of the clock from the broker's at which this instance deletes, in milliseconds. */
    public Limit clockGuardMaxDifference() {
        return limit(Settings.CLOCK_GUARD_MAX_DIFFERENCE);
    }

    public Duration clockGuardInterval() {
        return duration(Settings.CLOCK_GUARD_INTERVAL);
    }

    public int recordMaxBytes() {
        return values.getInt(Settings.RECORD_MAX_BYTES);
    }

    /** Most records of a partition that may wait until they can be taken in. */
    public int parkedMaxRecords() {
        return values.getInt(Settings.PARKED_MAX_RECORDS);
    }

    /** Most bytes of records of a partition that may wait until they can be taken in. */
    public long parkedMaxBytes() {
        return values.getLong(Settings.PARKED_MAX_BYTES);
    }

    /** The folder of the state stores, absolute. */
    public Path stateDir() {
        String text = values.getString(Settings.STATE_DIR);
        boolean isInHome = text.equals("~") || text.startsWith("~/");
        Path path = isInHome ? Path.of(System.getProperty("user.home") + text.substring(1)) : Path.of(text);
        return path.toAbsolutePath().normalize();
    }

    public long stateCacheBytes() {
        return values.getLong(Settings.STATE_CACHE_BYTES);
    }

    public long stateLookupBytes() {
        return values.getLong(Settings.STATE_LOOKUP_BYTES);
    }

    public long rocksDbBlockCacheBytes() {
        return values.getLong(Settings.ROCKSDB_BLOCK_CACHE_BYTES);
    }

    public long rocksDbWriteBufferBytes() {
        return values.getLong(Settings.ROCKSDB_WRITE_BUFFER_BYTES);
    }

    /** Settings given with the prefix {@code schema.registry.}, prefix included, and the URL. */
    public Map<String, String> schemaRegistryProperties() {
        Map<String, String> properties = new TreeMap<>();
        PassThrough.strip(PassThrough.SCHEMA_REGISTRY, given)
                .forEach((key, value) -> properties.put(PassThrough.SCHEMA_REGISTRY + key, value));
        properties.put(Settings.SCHEMA_REGISTRY_URL, values.getString(Settings.SCHEMA_REGISTRY_URL));
        return properties;
    }

    /** The class that takes the place of our serializer; empty if none does. */
    public Optional<String> avroSerializerClass() {
        return optional(Settings.AVRO_SERIALIZER_CLASS);
    }

    /** The class that takes the place of our deserializer; empty if none does. */
    public Optional<String> avroDeserializerClass() {
        return optional(Settings.AVRO_DESERIALIZER_CLASS);
    }

    public Address apiListen() {
        return Address.parse(values.getString(Settings.API_LISTEN));
    }

    /** Address at which others reach the API of this instance. */
    public Address apiAdvertised() {
        return optional(Settings.API_ADVERTISED).map(Address::parse).orElseGet(this::apiListen);
    }

    /** Secret by which instances know each other, from the setting or its file; empty if there is none. */
    public String apiPeerSecret() {
        return values.getPassword(Settings.API_PEER_SECRET).value();
    }

    /** URL at which others reach the API of this instance, with the scheme that the API speaks. */
    public String apiUrl() {
        return (apiTlsCertificate().isPresent() ? "https://" : "http://") + apiAdvertised();
    }

    /** Certificates that those of other instances are checked with; empty: the chain of this instance's certificate. */
    public Optional<Path> apiPeerCaFile() {
        return optional(Settings.API_PEER_CA_FILE).map(Path::of);
    }

    /** The file of tokens; empty if callers need none. */
    public Optional<Path> apiTokensFile() {
        return optional(Settings.API_TOKENS_FILE).map(Path::of);
    }

    /** The certificate of the API; empty if the API speaks plain HTTP. */
    public Optional<Path> apiTlsCertificate() {
        return optional(Settings.API_TLS_CERTIFICATE).map(Path::of);
    }

    /** The key of the API's certificate; present if and only if the certificate is. */
    public Optional<Path> apiTlsKey() {
        return optional(Settings.API_TLS_KEY).map(Path::of);
    }

    public int apiMaxBodyBytes() {
        return values.getInt(Settings.API_MAX_BODY_BYTES);
    }

    /** Most requests that are answered at the same time. */
    public int apiMaxRequests() {
        return values.getInt(Settings.API_MAX_REQUESTS);
    }

    /** Most requests that one caller may send each second. */
    public int apiMaxRate() {
        return values.getInt(Settings.API_MAX_RATE);
    }

    /** Most connections that one address may have open. */
    public int apiMaxConnectionsPerAddress() {
        return values.getInt(Settings.API_MAX_CONNECTIONS);
    }

    /** Address at which probes are answered besides the API; empty if there is none. */
    public Optional<Address> healthListen() {
        return optional(Settings.HEALTH_LISTEN).map(Address::parse);
    }

    /** {@code text} or {@code json}. */
    public String logFormat() {
        return values.getString(Settings.LOG_FORMAT);
    }

    /** The JDBC URL of the mirror; empty if there is no mirror. */
    public Optional<String> sqlUrl() {
        return optional(Settings.SQL_URL);
    }

    public String sqlUser() {
        return values.getString(Settings.SQL_USER);
    }

    /** Password of the mirror, from {@code sql.password} or {@code sql.password.file}; empty if there is none. */
    public String sqlPassword() {
        return values.getPassword(Settings.SQL_PASSWORD).value();
    }

    /** The file that the password of the mirror's user was read from; empty if there is none. */
    public Optional<Path> sqlPasswordFile() {
        return optional(Settings.SQL_PASSWORD_FILE).map(Path::of);
    }

    /** The REST address of the Connect worker; empty if the sinks are not watched. */
    public Optional<URI> connectUrl() {
        return optional(Settings.CONNECT_URL).map(URI::create);
    }

    /** The folder with the configurations of the sinks; empty if those that come with Ebb are used. */
    public Optional<Path> connectConfigDir() {
        return optional(Settings.CONNECT_CONFIG_DIR).map(Path::of);
    }

    /** The settings that were given, one {@code key=value} a line, secrets hidden. */
    @Override
    public String toString() {
        return new TreeMap<>(given)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + Secrets.show(entry.getKey(), entry.getValue()))
                        .collect(Collectors.joining("\n"));
    }

    /** Settings that were given and never asked for. */
    Set<String> unread() {
        return values.unused();
    }

    private Optional<String> optional(String key) {
        return Optional.of(values.getString(key)).filter(text -> !text.isEmpty());
    }

    private Limit limit(String key) {
        String text = values.getString(key);
        return text.equals("unlimited") ? Limit.NONE : Limit.of(Durations.parseMs(text));
    }

    private Duration duration(String key) {
        return Duration.ofMillis(Durations.parseMs(values.getString(key)));
    }
}
