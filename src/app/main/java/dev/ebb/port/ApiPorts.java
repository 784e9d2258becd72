package dev.ebb.port;

import java.time.Clock;

/**
 * Ports through which the REST interface reaches the rest of the application.
 *
 * @param clock the time by which requests are understood; right also where the clock of the machine is not
 */
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
        InsightPorts insight,
        Clock clock) {}
