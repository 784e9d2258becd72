package dev.ebb.port;

/** Ports that the REST interface needs from the rest of the application. */
public record ApiPorts(
        EventQueries events,
        EventWriter writer,
        PolicyAdmin policies,
        CommandDesk commands,
        StatusSource status,
        HealthSource health,
        MetricsSource metrics,
        RequestMeter requests,
        InsightPorts insight) {}
