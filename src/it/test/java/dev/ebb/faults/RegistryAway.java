package dev.ebb.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.it.Await;
import dev.ebb.it.CommittedTopic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The registry is away while records come whose schema no instance knows, and while an instance starts. Nothing is
 * rejected for that, the known go on, and what waited is taken in its order when the registry is back.
 */
final class RegistryAway implements Fault {

    private static final int STREAMS = 8;
    private static final int EVENTS = 200;
    private static final Duration LIMIT = Duration.ofMinutes(4);

    @Override
    public String name() {
        return "registry";
    }

    @Override
    public String skipped() {
        return FaultStack.HAS_REGISTRY ? "" : "there is no registry (-Dfaults.registry=none)";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        try (CommittedTopic rejected = new CommittedTopic(
                stack.services().endpoints().bootstrapServers(), stack.topics().rejected())) {
            for (int round = 0; round < run.rounds(1, 3); round++) {
                int before = rejected.read().size();
                Schema schema = newer(round);
                int id = register(stack, schema);
                stack.services().registry().stop();
                Instance starting = stack.instances()
                        .get(run.random().nextInt(stack.instances().size()));
                starting.kill();
                send(stack, schema, id, round);
                starting.launch();
                Thread.sleep(Duration.ofSeconds(run.isFull() ? 120 : 20).toMillis());
                stack.services().registry().start();
                stack.awaitReady();
                awaitParkedTaken(stack);
                int after = rejected.read().size();
                if (after != before) {
                    throw new AssertionError((after - before) + " records were rejected because of the outage");
                }
                run.round();
            }
        }
    }

    private static void awaitParkedTaken(FaultStack stack) throws InterruptedException {
        Await.until("what was parked is taken in", LIMIT, () -> {
            for (var instance :
                    Rest.get(stack.any().url(), "/v1/instances").body().path("instances")) {
                for (var partition : instance.path("partitions")) {
                    if (partition.path("parkedRecords").longValue() > 0) {
                        return partition.toString();
                    }
                }
            }
            return "";
        });
    }

    /** Each second record has the new schema: those behind it in its stream must wait with it. */
    private static void send(FaultStack stack, Schema schema, int schemaId, int round) throws IOException {
        for (int i = 0; i < EVENTS; i++) {
            String stream = "parked/" + i % STREAMS;
            GenericRecord event = new GenericRecordBuilder(i % 16 < 8 ? PoisonRecords.schema("Event") : schema)
                    .set("stream", stream)
                    .set("id", "p" + round + "-" + i / 2)
                    .set("type", "of " + i)
                    .build();
            byte[] value = i % 16 < 8 ? stack.records().encode(event) : encode(event, schemaId);
            stack.load().send(new ProducerRecord<>(stack.topics().events(), stream.getBytes(UTF_8), value));
        }
    }

    private static Schema newer(int round) {
        Schema event = PoisonRecords.schema("Event");
        List<Schema.Field> fields = new ArrayList<>();
        event.getFields().forEach(field -> fields.add(new Schema.Field(field, field.schema())));
        Schema text = Schema.create(Schema.Type.STRING);
        fields.add(new Schema.Field("added" + round + "At" + System.nanoTime(), text, "New.", ""));
        return Schema.createRecord(event.getName(), event.getDoc(), event.getNamespace(), false, fields);
    }

    private static int register(FaultStack stack, Schema schema) throws IOException, InterruptedException {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("schema", schema.toString());
        URI registry = URI.create(stack.services().endpoints().registryUrl());
        Rest.Answer answer =
                Rest.send("POST", registry, registry.getPath() + "/subjects/dev.ebb.Event/versions", body.toString());
        if (answer.status() != 200) {
            throw new AssertionError("the registry refuses: " + answer);
        }
        return answer.body().path("id").intValue();
    }

    private static byte[] encode(GenericRecord record, int schemaId) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(0);
        out.write(ByteBuffer.allocate(Integer.BYTES).putInt(schemaId).array());
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
        encoder.flush();
        return out.toByteArray();
    }
}
