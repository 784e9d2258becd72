package dev.ebb.api.peers;

import dev.ebb.port.Departure;
import dev.ebb.port.Membership;
import dev.ebb.port.Placement;
import dev.ebb.port.Replicas;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Ports through which the REST interface answers for all instances.
 *
 * @param placement tells which instance has which partition
 * @param replicas copies on this instance of partitions that others keep
 * @param departure the departure of this instance from the application
 * @param membership the group that shares the partitions
 * @param waiting tells within a second how many records were sent that no partition has taken in yet; empty if not known
 * @param settings settings for questions to other instances
 */
public record PeerPorts(
        Placement placement,
        Replicas replicas,
        Departure departure,
        Membership membership,
        Supplier<OptionalLong> waiting,
        PeerSettings settings) {}
