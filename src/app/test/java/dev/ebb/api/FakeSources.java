package dev.ebb.api;

import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceStart;
import dev.ebb.port.SourceDesk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Topics of sources in memory. */
final class FakeSources implements SourceDesk {

    final Map<String, Topics> topics = new HashMap<>();
    final Map<String, SourceDesk.Reading> readings = new HashMap<>();
    final List<String> resets = new ArrayList<>();

    @Override
    public Topics topics(Source source) {
        return topics.getOrDefault(source.topic(), Topics.GOOD);
    }

    @Override
    public SourceDesk.Reading reading(Source source) {
        return readings.getOrDefault(
                source.name(),
                new SourceDesk.Reading(
                        SourceDesk.Reading.State.UNKNOWN, null, null, null, SourceDesk.Reading.Counts.NONE, List.of()));
    }

    @Override
    public Map<Integer, Long> reset(Source source, SourceStart to, String actor, String reason) {
        resets.add(source.name() + " " + to + " " + actor + " " + reason);
        return Map.of(0, 7L);
    }
}
