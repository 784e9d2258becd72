package dev.ebb.api.peers;

import dev.ebb.port.Copies;
import dev.ebb.port.Departure;
import dev.ebb.port.Placement;

/**
 * Ports through which the REST interface answers for all instances.
 *
 * @param placement tells which instance has which partition
 * @param copies copies on this instance of partitions that others keep
 * @param departure the departure of this instance from the application
 * @param settings settings for questions to other instances
 */
public record PeerPorts(Placement placement, Copies copies, Departure departure, PeerSettings settings) {}
