package dev.ebb.store.parking;

/**
 * The limits of the records that may wait in one partition.
 *
 * @param maxRecords the most records, at least 1
 * @param maxBytes the most bytes of the records, including their headers, at least 1
 */
public record ParkingLimits(long maxRecords, long maxBytes) {

    public static final ParkingLimits DEFAULT = new ParkingLimits(1_000_000, 1L << 30);

    public ParkingLimits {
        if (maxRecords < 1 || maxBytes < 1) {
            throw new IllegalArgumentException("limits of parking must be at least 1");
        }
    }
}
