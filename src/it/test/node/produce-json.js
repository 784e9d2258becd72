// Reads one request a line from standard input and sends each as one record in JSON, without any schema:
//   {"topic": "...", "key": "..."?, "headers": {...}?, "value": {...} or "text"}
// Argument: bootstrap servers.
import { createInterface } from 'node:readline';
import { Kafka, logLevel } from 'kafkajs';

const [bootstrapServers] = process.argv.slice(2);
const kafka = new Kafka({ clientId: 'plain', brokers: bootstrapServers.split(','), logLevel: logLevel.ERROR });
const producer = kafka.producer();

await producer.connect();
for await (const line of createInterface({ input: process.stdin })) {
  const { topic, key, headers, value } = JSON.parse(line);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  await producer.send({ topic, acks: -1, messages: [{ key, headers, value: text }] });
}
await producer.disconnect();
