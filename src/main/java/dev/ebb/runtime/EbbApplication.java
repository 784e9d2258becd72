package dev.ebb.runtime;

import dev.ebb.api.ApiPorts;
import dev.ebb.api.ApiServer;
import dev.ebb.api.ApiSettings;
import dev.ebb.config.Address;
import dev.ebb.config.EbbConfig;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.metrics.InstanceMetrics;
import dev.ebb.metrics.KafkaMetricsBridge;
import dev.ebb.metrics.PrometheusObserver;
import dev.ebb.serde.AvroRecords;
import dev.ebb.serde.AvroSettings;
import dev.ebb.serde.MirrorRows;
import dev.ebb.serde.RegistryUnavailableException;
import dev.ebb.topology.PolicyViews;
import dev.ebb.topology.RetentionTopology;
import dev.ebb.topology.TopologyParts;
import dev.ebb.topology.TopologySettings;
import dev.ebb.topology.Topics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.KafkaStreams;

/**
 * One instance: puts its parts together, starts them in order (API, topics, registry, streams), and stops them. The API
 * comes first so that it can tell what the rest waits for.
 */
public final class EbbApplication implements AutoCloseable {
}
