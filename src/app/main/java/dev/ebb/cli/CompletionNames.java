package dev.ebb.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.CommandEnvironment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Names that only the application knows. An error, or a wait that is too long for a person at the keyboard, yields no
 * names.
 *
 * @param reach the typed options of {@link #REACH}, each followed by its value
 * @param withinMs the longest wait for the application, in milliseconds
 */
record CompletionNames(CommandEnvironment context, List<String> reach, long withinMs) {

    /** Options that tell how to reach the application. */
    static final List<String> REACH = List.of("--api", "--token-file", "--ca-file", "--config", "--set");

    /** Label of a namespace. */
    static final String NAMESPACE = "NAMESPACE";

    /** Command that parses the options for reaching the application. */
    @Command
    private static final class Question {

        @Mixin
        private ApiOptions api;

        Question(CommandEnvironment context) {
            this.api = new ApiOptions(context);
        }
    }

    /**
     * Returns the names for a label of the help.
     *
     * @param typed the typed beginning of the name; of long lists only a part is requested
     */
    Stream<String> of(String label, String typed) {
        return switch (label) {
            case NAMESPACE -> ask(CompletionNames::namespaces);
            case "SCOPE" -> ask(CompletionNames::scopes);
            case "CASE" -> ask(CompletionNames::cases);
            case "KEY" ->
                ask(api -> both(
                        scopes(api),
                        cases(api).stream().map(name -> "hold:" + name).toList()));
            case "STREAM" -> ask(api -> streams(api, typed));
            default -> Stream.of();
        };
    }

    private static List<String> namespaces(RestApi api) {
        return texts(api, RestPath.of("v1", "namespaces"), "namespace", "namespaces");
    }

    private static List<String> scopes(RestApi api) {
        List<String> ofNamespaces =
                namespaces(api).stream().map(name -> "namespace:" + name).toList();
        return both(ofNamespaces, texts(api, RestPath.of("v1", "policies"), "scope", "policies"));
    }

    private static List<String> streams(RestApi api, String typed) {
        return texts(
                api, RestPath.of("v1", "streams").with("prefix", typed.isEmpty() ? null : typed), "stream", "streams");
    }

    private static List<String> cases(RestApi api) {
        return texts(api, RestPath.of("v1", "holds"), "case", "holds");
    }

    private static List<String> both(List<String> some, List<String> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    private static List<String> texts(RestApi api, RestPath path, String field, String list) {
        JsonNode answer = api.get(path);
        return StreamSupport.stream(answer.path(list).spliterator(), false)
                .map(entry -> entry.path(field).asText())
                .filter(name -> !name.isEmpty())
                .toList();
    }

    private Stream<String> ask(Function<RestApi, List<String>> question) {
        try {
            // A daemon thread, so that a late answer delays nothing.
            return CompletableFuture.supplyAsync(() -> question.apply(api()))
                    .get(withinMs, TimeUnit.MILLISECONDS)
                    .stream();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Stream.of();
        } catch (Exception e) {
            return Stream.of();
        }
    }

    private RestApi api() {
        Question question = new Question(context);
        new CommandLine(question).parseArgs(new ArrayList<>(reach).toArray(String[]::new));
        return question.api.connectSilently();
    }
}
