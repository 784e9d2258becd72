package dev.ebb.api;

import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceStart;
import dev.ebb.port.SourceDesk;
import dev.ebb.port.SourceReading;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Topics of sources in memory. */
final class FakeSources implements SourceDesk {

    final Map<String, Topics> topics = new HashMap<>();
    final Map<String, SourceReading> readings = new HashMap<>();
    final List<String> resets = new ArrayList<>();

    @Override
    public Topics topics(Source source) {
        return topics.getOrDefault(source.topic(), new Topics(null, null));
    }

    @Override
    public SourceReading reading(Source source) {
        return readings.getOrDefault(
                source.name(),
                new SourceReading(SourceReading.State.UNKNOWN, null, null, null, SourceReading.Counts.NONE));
    }

    @Override
    public Map<Integer, Long> reset(Source source, SourceStart to) {
        resets.add(source.name() + " " + to);
        return Map.of(0, 7L);
    }
}
