package dev.ebb.cli.options;

import dev.ebb.domain.event.RejectReason;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** Words that a shell offers for values, of which it can know some. Immutable. */
public class CompletionWords implements Iterable<String> {

    private static final List<String> PATTERNS =
            List.of("cache", "session", "keyvalue", "timeseries", "graph", "vector", "object");

    private final List<String> words;

    private CompletionWords(List<String> words) {
        this.words = List.copyOf(words);
    }

    @Override
    public Iterator<String> iterator() {
        return words.iterator();
    }

    /** The kinds of scopes, and the built-in patterns. */
    public static final class Scopes extends CompletionWords {

        public Scopes() {
            super(Stream.concat(
                            Stream.of("namespace:", "stream:"),
                            PATTERNS.stream().map(pattern -> "pattern:" + pattern))
                    .toList());
        }
    }

    /** The built-in patterns. */
    public static final class Patterns extends CompletionWords {

        public Patterns() {
            super(PATTERNS);
        }
    }

    /** Reasons why records are rejected. */
    public static final class Reasons extends CompletionWords {

        Reasons() {
            super(Stream.of(RejectReason.values()).map(RejectReason::name).toList());
        }
    }

    /** Ages that are often used. */
    public static final class Ages extends CompletionWords {

        public Ages() {
            super(List.of("15m", "24h", "7d", "30d", "90d", "365d", "unlimited"));
        }
    }

    /** Times ahead that are often used. */
    public static final class Ahead extends CompletionWords {

        Ahead() {
            super(List.of("1h", "24h", "7d", "30d"));
        }
    }

    /** Beginnings of conditions for an erasure. */
    public static final class Conditions extends CompletionWords {

        Conditions() {
            super(List.of("id=", "stream=", "type=", "status=", "correlationId=", "contentType=", "metadata."));
        }
    }

    /** Lengths of the steps of a forecast. */
    public static final class Steps extends CompletionWords {

        Steps() {
            super(List.of("hour", "day", "week", "month"));
        }
    }
}
