package dev.ebb.port;

/** Ports through which the REST interface reaches the rest of the application. */
public record ApiPorts(
        EventQueries events,
        EventWriter writer,
        PolicyAdmin policies,
        CommandDesk commands,
        SourceDesk sources,
        RunningCommands running,
        StatusSource status,
        HealthSource health,
        MetricsSource metrics,
        RequestMeter requests,
        InsightPorts insight) {}
