package dev.ebb.cli.read;

import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.PageOptions;
import dev.ebb.cli.options.ParameterReader;
import dev.ebb.cli.options.StaleOptions;
import dev.ebb.cli.options.TimeOptions;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.wire.read.Read;
import dev.ebb.wire.read.ReadParameter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The options of a read: parameters of its path stand without a name, in the order of the path. */
final class ReadOptions {

    private final Read<?, ?> read;
    private final List<Argument> arguments = new ArrayList<>();
    private final TimeOptions time = new TimeOptions();
    private final PageOptions page = new PageOptions();
    private final StaleOptions stale = new StaleOptions();

    /** An option or a positional parameter, and the parameter of the read to which it gives a value. */
    private record Argument(ReadParameter parameter, ArgSpec spec) {}

    ReadOptions(Read<?, ?> read) {
        this.read = read;
    }

    PageOptions page() {
        return page;
    }

    void addTo(CommandSpec spec) {
        int places = 0;
        for (ReadParameter parameter : read.described()) {
            ArgSpec argument = parameter.isInPath() ? positional(parameter, places++) : option(parameter);
            arguments.add(new Argument(parameter, argument));
            spec.add(argument);
        }
        mixIn(spec, "time", read.isTimed(), time);
        mixIn(spec, "page", read.isPaged(), page);
        mixIn(spec, "stale", read.mayBeStale(), stale);
    }

    private static void mixIn(CommandSpec spec, String name, boolean isMeant, Object options) {
        if (isMeant) {
            spec.addMixin(name, CommandSpec.forAnnotatedObject(options));
        }
    }

    private static ArgSpec positional(ReadParameter parameter, int place) {
        PositionalParamSpec.Builder positional = PositionalParamSpec.builder()
                .type(String.class)
                .index(Integer.toString(place))
                .arity("1")
                .required(true)
                .paramLabel(parameter.label())
                .description(parameter.meaning());
        if (parameter.type() == Scope.class) {
            positional.converters(
                    text -> new ParameterReader.OfScope().convert(text).toString());
            positional.completionCandidates(new CompletionWords.Scopes());
        }
        return positional.build();
    }

    private static ArgSpec option(ReadParameter parameter) {
        OptionSpec.Builder option = OptionSpec.builder(parameter.option())
                .type(parameter.type() == StreamName.class ? String.class : parameter.type())
                .paramLabel(parameter.label())
                .description(parameter.meaning());
        if (parameter.isFlag()) {
            option.arity("0");
        } else if (parameter.type() == int.class) {
            option.defaultValue("100");
        } else if (parameter.type() == StreamName.class) {
            option.converters(new ParameterReader.OfName());
        }
        return option.build();
    }

    /** Returns the path of the read with its parameters, without those of pages. */
    RestPath path() {
        RestPath path = RestPath.of(Stream.of(read.path().substring(1).split("/", -1))
                .map(this::segment)
                .toArray(String[]::new));
        for (Argument argument : arguments) {
            String name = argument.parameter().name();
            if (argument.parameter().isFlag()) {
                path.withFlag(name, Boolean.TRUE.equals(argument.spec().getValue()));
            } else if (!argument.parameter().isInPath()) {
                path.with(name, argument.spec().getValue());
            }
        }
        return stale.addTo(time.addTo(path));
    }

    private String segment(String part) {
        return arguments.stream()
                .filter(argument -> part.equals("{" + argument.parameter().name() + "}"))
                .map(argument -> argument.spec().<String>getValue())
                .findFirst()
                .orElse(part);
    }
}
