package dev.ebb.source;

import dev.ebb.cli.kafka.KafkaSession;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.InputFile;
import dev.ebb.cli.options.KafkaOptions;
import dev.ebb.cli.options.OutputCommand;
import dev.ebb.cli.options.TimeText;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Progress;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceRecord;
import dev.ebb.domain.time.DateBound;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.runtime.plugins.PluginException;
import dev.ebb.runtime.sources.SourceParts;
import dev.ebb.runtime.sources.SourceTopic;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import dev.ebb.serde.source.SourceFormats;
import dev.ebb.serde.text.PolicyFile;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "test",
        description = {
            "Shows what the sources in a file would make of the newest records of their topics, and what policies would"
                    + " delete. Changes nothing, and needs no running application: only the broker, and the registry for"
                    + " Avro.",
            "Shows for each record its stream, id, status, due time and decision, then by namespace how many events would"
                    + " go now, in a day and in a week. Caps and keepLast count the records that were read.",
            "Exit code 3 if a record does not fit."
        },
        footer = {
            "  ebb source test sources.yaml --set bootstrap.servers=kafka-1:9092",
            "  ebb source test sources.yaml --since 2h --policies policies.yaml",
            "  ebb source test sources.yaml --topic staging.orders --last 5 -o json"
        })
final class SourceTestCommand extends OutputCommand {

    private static final int USUAL_LAST = 20;

    @Parameters(
            paramLabel = "FILE",
            description = "Sources, and policies beside them if there are any: YAML or JSON, plain or .gz; - reads"
                    + " standard input.")
    private String file;

    @Option(
            names = "--topic",
            paramLabel = "TOPIC",
            description =
                    "Test only the sources of this topic; a single source is tested on it, whatever topic it names.")
    private @Nullable String topic;

    @Option(
            names = "--last",
            paramLabel = "N",
            description = "Number of records of each topic, the newest. Default: " + USUAL_LAST + ".")
    private @Nullable Integer last;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description =
                    "All records since then instead: ISO-8601, a date, a duration ago such as 2h, or epoch with its"
                            + " unit.")
    private @Nullable String since;

    @Option(
            names = "--policies",
            paramLabel = "FILE",
            description = "Policies and holds that decide. Default: those in FILE.")
    private @Nullable String policies;

    @Mixin
    private KafkaOptions kafka;

    private final CommandEnvironment context;

    SourceTestCommand(CommandEnvironment context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        if (last != null && since != null) {
            throw CommandFailure.usage("name either --last or --since");
        }
        if (last != null && (last < 1 || last > TopicSample.MOST)) {
            throw CommandFailure.usage("--last must be between 1 and " + TopicSample.MOST + ", was " + last);
        }
        Long sinceMs = TimeText.past("--since", since, DateBound.BEGINNING);
        PolicyFile given = read(file);
        PolicyFile deciding = policies == null ? given : read(policies);
        List<Source> sources = chosen(given.sources());
        KafkaSession session = kafka.connect();
        SampleTrial trial = new SampleTrial(judge(session.config(), deciding, sources));
        try {
            run(session, sources, sinceMs, trial);
        } catch (KafkaException e) {
            throw session.unreachable(e);
        } catch (PluginException e) {
            throw CommandFailure.usage(e);
        } catch (RegistryUnavailableException e) {
            String what = e.getMessage() + ". Name the registry with --set schema.registry.url=URL";
            throw new CommandFailure(ExitCode.NOT_READY, what, e);
        }
        return show(trial);
    }

    private PolicyFile read(String name) {
        PolicyFile read = PolicyFile.read(InputFile.of(name, context).text());
        if (read.isFaulty()) {
            List<String> faults = read.problems().stream()
                    .filter(problem -> problem.problem().isFault())
                    .map(PolicyFile.Problem::toString)
                    .toList();
            throw CommandFailure.usage(name + " is refused:\n  " + String.join("\n  ", faults));
        }
        return read;
    }

    private List<Source> chosen(List<Source> declared) {
        if (declared.isEmpty()) {
            throw CommandFailure.usage(file + " has no sources; begin with:\n"
                    + "sources:\n  - name: orders\n    topic: shop.orders\n    as: table\n    value: json\n"
                    + "    stream: \"orders/{value.customerId}\"");
        }
        if (topic == null) {
            return declared;
        }
        List<Source> ofTopic =
                declared.stream().filter(source -> source.topic().equals(topic)).toList();
        if (ofTopic.isEmpty() && declared.size() > 1) {
            throw CommandFailure.usage("no source in " + file + " has the topic '" + topic + "'; they have "
                    + String.join(
                            ", ",
                            declared.stream().map(Source::topic).distinct().toList()));
        }
        return ofTopic.isEmpty() ? List.of(declared.get(0).onTopic(topic)) : ofTopic;
    }

    private static SampleJudge judge(EbbConfig config, PolicyFile file, List<Source> sources) {
        RetentionSettings settings = ConfiguredTopology.retentionSettings(config);
        List<PolicyEdit> edits = new ArrayList<>();
        file.policies().forEach(policy -> edits.add(new PolicyEdit(PolicyKey.of(policy.scope()), policy, null)));
        file.holds().forEach(hold -> edits.add(new PolicyEdit(hold.key(), null, hold)));
        sources.forEach(source -> edits.add(PolicyEdit.of(source)));
        PolicySet policies = PolicySet.empty(new BuiltInPolicies(settings)).with(edits);
        return new SampleJudge(policies, settings.statuses(), System.currentTimeMillis());
    }

    private void run(KafkaSession session, List<Source> sources, @Nullable Long sinceMs, SampleTrial trial) {
        String broker = session.config().get(Settings.BOOTSTRAP_SERVERS);
        List<String> refusals = new ArrayList<>();
        try (Progress progress = Progress.waiting(context.terminal(), "reading from " + broker);
                Admin admin = session.clients().admin();
                Consumer<byte[], byte[]> reader = session.clients().reader();
                SourceFormats formats = SourceParts.formats(session.config())) {
            for (Source source : sources) {
                TopicSample sample = TopicSample.of(admin, reader, source.topic());
                List<SourceRecord> records =
                        sinceMs == null ? sample.last(last == null ? USUAL_LAST : last) : sample.since(sinceMs);
                trial.take(source, formats.reader(source), records);
                String refusal = refusal(session.config(), admin, source);
                if (refusal != null) {
                    refusals.add("Source " + source.name() + " would be refused: " + refusal + ".");
                }
            }
        }
        trial.decide();
        refusals.forEach(output::note);
    }

    /** Returns the reason why Ebb would refuse the target of a source; null if it would not, or if it must not be asked for. */
    private static @Nullable String refusal(EbbConfig config, Admin admin, Source source) {
        try {
            return SourceTopic.of(config, admin, source).problemOfTarget();
        } catch (AuthorizationException e) {
            return null;
        }
    }

    private int show(SampleTrial trial) {
        TrialReport report = new TrialReport(trial);
        output.print(report.json(), report::print);
        long faults = trial.faults();
        if (output.isTable() && trial.rows().isEmpty()) {
            output.note(since == null ? "The topic has no records." : "There are no records since then.");
        }
        if (output.isTable() && faults > 0) {
            output.note(Texts.counted(faults, "record") + " of "
                    + Texts.count(trial.rows().size()) + " " + (faults == 1 ? "does" : "do")
                    + " not fit. Ebb would set them aside as rejected, and take the rest.");
        }
        return (faults > 0 ? ExitCode.DIFFERENCES : ExitCode.OK).code();
    }
}
