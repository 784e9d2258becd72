// Reads one request a line from standard input and sends each as one record:
//   {"topic": "...", "key": "...", "subject": "dev.ebb.Event", "schema": {...}?, "value": {...}}
// With a schema it is registered first, under the subject; without one the newest of the subject is used.
// Arguments: bootstrap servers, address of the schema registry.
import { createInterface } from 'node:readline';
import { Kafka, logLevel } from 'kafkajs';
import { SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry';

const [bootstrapServers, registryUrl] = process.argv.slice(2);
const registry = new SchemaRegistry({ host: registryUrl });
const kafka = new Kafka({ clientId: 'foreign', brokers: bootstrapServers.split(','), logLevel: logLevel.ERROR });
const producer = kafka.producer();

async function schemaId({ subject, schema, compatibility }) {
  if (!schema) {
    return registry.getLatestSchemaId(subject);
  }
  const text = JSON.stringify(schema);
  const { id } = await registry.register({ type: SchemaType.AVRO, schema: text }, { subject, compatibility });
  return id;
}

await producer.connect();
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  // JSON has no bytes; a payload comes as text.
  if (typeof request.value?.payload === 'string') {
    request.value.payload = Buffer.from(request.value.payload, 'utf8');
  }
  const value = await registry.encode(await schemaId(request), request.value);
  await producer.send({ topic: request.topic, acks: -1, messages: [{ key: request.key, value }] });
}
await producer.disconnect();
