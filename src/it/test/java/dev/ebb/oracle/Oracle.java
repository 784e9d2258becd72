package dev.ebb.oracle;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Says, from the topics alone, what must be stored and whether each deletion was allowed, and compares. Shares nothing
 * with what it judges but the schemas. By hand, in the folder of the project: {@code java -cp … dev.ebb.oracle.Oracle
 * 127.0.0.1:9092 http://127.0.0.1:8081 jdbc:postgresql://… user password http://127.0.0.1:8480 …}.
 */
public final class Oracle {

    private static final int TRIES = 10;

    /** Judges a system at rest; reads again if something changed while it read, such as a sweep of what fell due. */
    public Verdict judge(OracleSources sources) {
        try (Topic topic = new Topic(sources.bootstrapServers())) {
            Verdict verdict = null;
            for (int i = 0; i < TRIES; i++) {
                Map<TopicPartition, Long> before = topic.ends(sources.topicsPrefix() + "mirror.events");
                verdict = Judge.judge(new WorldReader(sources, topic).read());
                boolean isStill =
                        topic.ends(sources.topicsPrefix() + "mirror.events").equals(before);
                if (isStill || verdict.differences().isEmpty()) {
                    return verdict;
                }
            }
            return new Verdict(
                    verdict.events(), verdict.deletes(), List.of("nothing stands still; " + verdict.differences()));
        }
    }

    /** Exit code 0: no differences; 3: some; 2: wrong arguments. */
    public static void main(String[] args) {
        if (args.length < 6) {
            System.err.println("usage: Oracle BROKERS REGISTRY JDBC-URL USER PASSWORD API... (EBB_TOKEN, EBB_PREFIX)");
            System.exit(2);
        }
        List<URI> instances = Arrays.stream(args).skip(5).map(URI::create).toList();
        String prefix = System.getenv().getOrDefault("EBB_PREFIX", "ebb.");
        Verdict verdict = new Oracle()
                .judge(new OracleSources(
                        args[0],
                        prefix,
                        URI.create(args[1]),
                        instances,
                        System.getenv("EBB_TOKEN"),
                        args[2],
                        args[3],
                        args[4]));
        verdict.differences().forEach(System.out::println);
        System.out.println(verdict.events() + " events, " + verdict.deletes() + " deletes, "
                + verdict.differences().size() + " differences");
        System.exit(verdict.differences().isEmpty() ? 0 : 3);
    }
}
