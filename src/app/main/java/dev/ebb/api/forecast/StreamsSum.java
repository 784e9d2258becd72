package dev.ebb.api.forecast;

import dev.ebb.domain.BadCursorException;
import dev.ebb.port.forecast.ForecastQueries.DueStreams;
import dev.ebb.port.forecast.ForecastQueries.Place;
import dev.ebb.port.forecast.ForecastQueries.Question;
import dev.ebb.wire.UnansweredView;
import dev.ebb.wire.forecast.AmountView;
import dev.ebb.wire.forecast.ForecastStreamsView;
import dev.ebb.wire.forecast.ForecastStreamsView.StreamView;
import java.util.Comparator;
import java.util.List;

/** Merges the lists of streams of all instances. Stateless. */
final class StreamsSum {

    private static final char BETWEEN = ':';

    private StreamsSum() {}

    /** Returns the place that a cursor names. */
    static Place place(String cursor) {
        int end = cursor.indexOf(BETWEEN);
        if (end < 1 || !cursor.substring(0, end).matches("\\d{1,18}")) {
            throw new BadCursorException();
        }
        return new Place(Long.parseLong(cursor.substring(0, end)), cursor.substring(end + 1));
    }

    private static String cursor(StreamView last) {
        return last.events() + String.valueOf(BETWEEN) + last.stream();
    }

    private static Place placeOf(StreamView view) {
        return new Place(view.events(), view.stream());
    }

    /** Returns the part of this instance. */
    static ForecastStreamsView of(Question question, DueStreams known) {
        return new ForecastStreamsView(
                known.atMs(),
                question.fromMs(),
                question.toMs(),
                known.isExact(),
                known.partitionsMissing(),
                known.count(),
                ForecastSum.amount(known.due()),
                known.streams().stream()
                        .map(one -> new StreamView(
                                one.stream().value(),
                                one.stream().namespace(),
                                one.due().events(),
                                one.due().bytes(),
                                one.isExact(),
                                one.firstMs(),
                                one.lastMs(),
                                ForecastSum.amount(one.stored())))
                        .toList(),
                null,
                List.of());
    }

    /**
     * Merges the parts of all instances into one page; each part has one stream more than the page holds, if it has
     * that many.
     */
    static ForecastStreamsView merged(List<ForecastStreamsView> parts, int limit, List<UnansweredView> unanswered) {
        List<StreamView> sorted = parts.stream()
                .flatMap(part -> part.streams().stream())
                .sorted(Comparator.comparing(StreamsSum::placeOf))
                .toList();
        List<StreamView> page = sorted.subList(0, Math.min(limit, sorted.size()));
        int missing = parts.stream()
                        .mapToInt(ForecastStreamsView::partitionsMissing)
                        .sum()
                + unanswered.stream().mapToInt(one -> one.partitions().size()).sum();
        return new ForecastStreamsView(
                parts.stream().mapToLong(ForecastStreamsView::at).min().orElse(0),
                parts.get(0).from(),
                parts.get(0).to(),
                missing == 0 && parts.stream().allMatch(ForecastStreamsView::exact),
                missing,
                parts.stream().mapToLong(ForecastStreamsView::streamsInAll).sum(),
                parts.stream().map(ForecastStreamsView::due).reduce(AmountView.NOTHING, AmountView::plus),
                page,
                sorted.size() > limit ? cursor(page.get(limit - 1)) : null,
                unanswered);
    }
}
