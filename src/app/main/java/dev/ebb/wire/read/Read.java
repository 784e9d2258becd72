package dev.ebb.wire.read;

import dev.ebb.port.history.TimeRange;
import java.util.List;
import java.util.stream.Stream;

/**
 * A read for viewers: {@code GET} of a path. It is declared once, beside its answer. The route, its parameters, its
 * entry in the OpenAPI document and the options of its command follow from it.
 *
 * <p>The components of the query are the parameters. Three of them need no description, since they mean the same
 * everywhere: {@code time}, a {@link TimeRange}, and {@code limit} with {@code after}, which together cut a list into
 * pages.
 *
 * @param path the path, with its parameters in braces
 * @param sentence the purpose, in one line
 * @param query the record of the parameters
 * @param answer the record of the answer; that of a list in pages has the list as its first component
 * @param mayBeStale true if a copy on another instance may answer, where the caller allows it
 */
public record Read<Q extends Record, A>(
        String path, String sentence, Class<Q> query, Class<A> answer, boolean mayBeStale) {

    private static final String AFTER = "after";

    public Read(String path, String sentence, Class<Q> query, Class<A> answer) {
        this(path, sentence, query, answer, false);
    }

    /** Returns this read, which a copy may answer too. */
    public Read<Q, A> fromCopies() {
        return new Read<>(path, sentence, query, answer, true);
    }

    /** A query without parameters. */
    public record All() {}

    /** Returns all parameters, in the order of the components of the query. */
    public List<ReadParameter> parameters() {
        return Stream.of(query.getRecordComponents())
                .map(component -> ReadParameter.of(component, path))
                .toList();
    }

    /** Returns the parameters that have a description of their own. */
    public List<ReadParameter> described() {
        return parameters().stream()
                .filter(parameter -> !parameter.meaning().isEmpty())
                .toList();
    }

    /** Returns true if the answer is a list that comes in pages. */
    public boolean isPaged() {
        return parameters().stream().anyMatch(parameter -> parameter.name().equals(AFTER));
    }

    /** Returns true if the answer is limited to a range of time. */
    public boolean isTimed() {
        return parameters().stream().anyMatch(parameter -> parameter.type() == TimeRange.class);
    }

    /** Returns the name of the list in the pages of the answer. */
    public String list() {
        return answer.getRecordComponents()[0].getName();
    }
}
