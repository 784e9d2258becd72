package dev.ebb.runtime.plugins;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.source.SourceFault;
import dev.ebb.domain.source.SourceMapping;
import dev.ebb.domain.source.SourceOutcome;
import dev.ebb.domain.source.SourceRecord;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import dev.ebb.serde.source.SourceFormats;
import dev.ebb.serde.text.PolicyFile;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Converters and transformations of Kafka Connect, those of Connect itself and some that are compiled here. */
@Tag("F-3")
class ConnectReadersTest {

    private static final long NOW = 1_795_953_600_000L;
    private static final String JSON = "  converter: org.apache.kafka.connect.json.JsonConverter";

    @TempDir
    Path folder;

    private SourceFormats formats = new SourceFormats(() -> null, () -> null);

    @AfterEach
    void close() {
        formats.close();
    }

    @Test
    void shouldReadWhatConnectsOwnConverterReads() {
        // given
        SourceMapping mapping = mapping("stream: \"a/{value.c.id}\"", "occurredAt: value.at", "value:", JSON);

        // when
        Event event = event(mapping.map(record("""
                {"schema": {"type": "struct", "fields": [
                   {"field": "c", "type": "struct", "fields": [{"field": "id", "type": "int32"}]},
                   {"field": "at", "type": "int64", "name": "io.debezium.time.MicroTimestamp"}]},
                 "payload": {"c": {"id": 7}, "at": 1795950000000000}}"""), NOW));

        // then
        assertThat(event.stream().value()).isEqualTo("a/7");
        assertThat(event.occurredAt()).isEqualTo(1_795_950_000_000L);
    }

    @Test
    void shouldRunTransformationsInTheirOrder() {
        // given
        SourceMapping mapping = mapping(
                "stream: \"a/{value.id}\"",
                "correlationId: header.added",
                "value:",
                JSON,
                "  options: {schemas.enable: false}",
                "  transforms:",
                "    - {type: org.apache.kafka.connect.transforms.ExtractField$Value, options: {field: after}}",
                "    - {type: org.apache.kafka.connect.transforms.InsertHeader, options: {header: added, value.literal: x}}");

        // when
        SourceOutcome taken = mapping.map(record("{\"after\": {\"id\": \"e-1\"}}"), NOW);
        SourceOutcome gone = mapping.map(record("{\"after\": null}"), NOW);
        SourceOutcome tombstone = mapping.map(record(null), NOW);

        // then
        assertThat(event(taken).stream().value()).isEqualTo("a/e-1");
        assertThat(event(taken).correlationId()).isEqualTo("x");
        assertThat(gone).isInstanceOf(SourceOutcome.Gone.class);
        assertThat(tombstone).isInstanceOf(SourceOutcome.Gone.class);
    }

    @Test
    void shouldPassOverWhatATransformationTakesOut() {
        // given
        SourceMapping mapping = mapping(
                "stream: a",
                "value:",
                JSON,
                "  options: {schemas.enable: false}",
                "  transforms: [{type: org.apache.kafka.connect.transforms.Filter}]");

        // then
        assertThat(mapping.map(record("{}"), NOW)).isInstanceOf(SourceOutcome.Dropped.class);
    }

    /** Two plugins have a library of one name, each in a version of its own. */
    @Test
    void shouldIsolatePluginsFromOneAnother() throws IOException {
        // given
        plugin("one", "OneConverter", "1", "return new SchemaAndValue(null, Library.version() + name());");
        plugin("two", "TwoConverter", "2", "return new SchemaAndValue(null, Library.version() + name());");

        // then
        assertThat(stream("OneConverter")).isEqualTo("a/1OneConverter");
        assertThat(stream("TwoConverter")).isEqualTo("a/2TwoConverter");
    }

    private String stream(String converter) {
        return event(mapping("stream: \"a/{value}\"", "value: {converter: x.test." + converter + "}")
                        .map(record("{}"), NOW))
                .stream()
                .value();
    }

    @Test
    void shouldCutOffAConverterThatHangsAndNameIt() throws IOException {
        // given
        plugin(
                "hanging",
                "HangingConverter",
                "1",
                "for (;;) { if (bytes.length == 1) return new SchemaAndValue(null, \"b\"); }");
        SourceMapping mapping = mapping("stream: \"a/{value}\"", "value: {converter: x.test.HangingConverter}");

        // when
        SourceFault first = fault(mapping.map(record("{}"), NOW));
        SourceOutcome other = mapping.map(record("1"), NOW);
        mapping.map(record("{}"), NOW);
        mapping.map(record("{}"), NOW);
        SourceFault last = fault(mapping.map(record("1"), NOW));

        // then
        assertThat(first.reason()).isEqualTo(RejectReason.SOURCE_CONVERTER);
        assertThat(first.message()).isEqualTo("cannot be read: x.test.HangingConverter did not end within 1 s");
        assertThat(event(other).stream().value()).isEqualTo("a/b");
        assertThat(last.message()).contains("x.test.HangingConverter", "is not called any more");
    }

    @Test
    @Tag("F-11")
    void shouldNameTheClassesOfAFailureAndNeverAValue() throws IOException {
        // given
        plugin(
                "failing",
                "FailingConverter",
                "1",
                "throw new IllegalStateException(\"s3cret\", new Error(\"s3cret\"));");
        SourceMapping mapping = mapping("stream: \"a/{value}\"", "value: {converter: x.test.FailingConverter}");

        // then
        assertThat(fault(mapping.map(record("{}"), NOW)))
                .hasToString("source orders, shop.orders-3@1204: value cannot be read by x.test.FailingConverter:"
                        + " IllegalStateException by Error");
    }

    /** What may pass is no fault of the record. */
    @Test
    void shouldNotBlameTheRecordForARegistryThatIsAway() throws IOException {
        // given
        plugin(
                "waiting",
                "WaitingConverter",
                "1",
                "throw new org.apache.kafka.connect.errors.DataException(\"\", new java.net.ConnectException(\"refused\"));");
        SourceMapping mapping = mapping("stream: \"a/{value}\"", "value: {converter: x.test.WaitingConverter}");

        // then
        assertThatThrownBy(() -> mapping.map(record("{}"), NOW)).isInstanceOf(RegistryUnavailableException.class);
    }

    @Test
    void shouldNameTheFixForAClassThatIsNotThere() throws IOException {
        // given
        plugin("no", "NoConverter", "1", "return null;");

        // then
        assertThatThrownBy(() -> mapping("stream: a", "value: {converter: io.confluent.AvroConverter}"))
                .isInstanceOf(PluginException.class)
                .hasMessageContaining(
                        "there is no class io.confluent.AvroConverter in the 1 plugins of sources.plugin.path")
                .hasMessageContaining("put its jars into a folder of their own below one of sources.plugin.path");
        assertThatThrownBy(() -> mapping("stream: a", "value: {converter: x.test.Library}"))
                .isInstanceOf(PluginException.class)
                .hasMessage("x.test.Library is not a Converter of Kafka Connect");
        assertThatThrownBy(() -> mapping("stream: a", "value:", JSON, "  options: {schemas.cache.size: many}"))
                .isInstanceOf(PluginException.class)
                .hasMessageContaining("JsonConverter does not take its options: Invalid value many");
    }

    /** So it is where the path names the folder of the plugin itself: each of its jars is a plugin then. */
    @Test
    void shouldNameTheFixForAClassWhoseLibraryIsNotThere() throws IOException {
        // given
        plugin("half", "HalfConverter", "1", "return null; } static final String USED = Library.version(); {");
        try (FileSystem jar = FileSystems.newFileSystem(folder.resolve("half/plugin.jar"))) {
            Files.delete(jar.getPath("x/test/Library.class"));
        }

        // then
        assertThatThrownBy(() -> mapping("stream: a", "value: {converter: x.test.HalfConverter}"))
                .isInstanceOf(PluginException.class)
                .hasMessage("x.test.HalfConverter needs the class x.test.Library, which is not beside it; put its jars"
                        + " into a folder of their own below one of sources.plugin.path");
    }

    private SourceMapping mapping(String... lines) {
        PolicyFile file = PolicyFile.read("sources:\n  - name: orders\n    topic: shop.orders\n    as: table\n"
                + Stream.of(lines).map(line -> "    " + line + "\n").collect(Collectors.joining()));
        assertThat(file.problems()).isEmpty();
        formats.close();
        formats = new SourceFormats(() -> null, () -> new ConnectReaders(List.of(folder), Duration.ofSeconds(1)));
        return new SourceMapping(
                file.sources().get(0), formats.reader(file.sources().get(0)));
    }

    private static SourceRecord record(String value) {
        return new SourceRecord(
                "shop.orders",
                3,
                1204,
                NOW,
                "k".getBytes(UTF_8),
                value == null ? null : value.getBytes(UTF_8),
                List.of());
    }

    private static Event event(SourceOutcome outcome) {
        assertThat(outcome).isInstanceOf(SourceOutcome.Taken.class);
        return ((SourceOutcome.Taken) outcome).event();
    }

    private static SourceFault fault(SourceOutcome outcome) {
        assertThat(outcome).isInstanceOf(SourceOutcome.Faulty.class);
        return ((SourceOutcome.Faulty) outcome).fault();
    }

    /** Compiles a converter and a library, and packs them into a plugin. */
    private void plugin(String plugin, String name, String version, String body) throws IOException {
        Path sources = Files.createTempDirectory("plugin");
        Files.writeString(
                sources.resolve("Library.java"),
                "package x.test;\npublic class Library { public static String version() { return \"" + version
                        + "\"; } }\n");
        Files.writeString(sources.resolve(name + ".java"), """
                package x.test;
                import java.util.Map;
                import org.apache.kafka.connect.data.*;
                import org.apache.kafka.connect.storage.Converter;
                public class %1$s implements Converter {
                    public void configure(Map<String, ?> options, boolean isKey) {}
                    public byte[] fromConnectData(String topic, Schema schema, Object value) { return null; }
                    String name() { return "%1$s"; }
                    public SchemaAndValue toConnectData(String topic, byte[] bytes) { %2$s }
                }
                """.formatted(name, body));
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        sources.toString(),
                        sources.resolve("Library.java").toString(),
                        sources.resolve(name + ".java").toString());
        assertThat(result).isZero();
        Path jar = Files.createDirectories(folder.resolve(plugin)).resolve("plugin.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (String type : List.of("x/test/Library.class", "x/test/" + name + ".class")) {
                out.putNextEntry(new JarEntry(type));
                out.write(Files.readAllBytes(sources.resolve(type)));
                out.closeEntry();
            }
        }
    }
}
