package dev.ebb.bench.load;

import dev.ebb.domain.event.StreamName;
import dev.ebb.topology.wire.StreamPartition;
import java.util.ArrayList;
import java.util.List;

/**
 * Names of streams, the busiest first, chosen so that each partition gets the same share of the events. Otherwise a run
 * would depend on the assignment of partitions to threads, which differs from run to run.
 */
public final class BalancedStreams {

    private BalancedStreams() {}

    public static List<StreamName> of(Zipf activity, int partitions) {
        double[] load = new double[partitions];
        List<StreamName> names = new ArrayList<>();
        for (int i = 0; i < activity.size(); i++) {
            int lightest = lightest(load);
            load[lightest] += activity.share(i);
            names.add(nameIn(lightest, i, partitions));
        }
        return names;
    }

    private static int lightest(double[] load) {
        int lightest = 0;
        for (int i = 1; i < load.length; i++) {
            if (load[i] < load[lightest]) {
                lightest = i;
            }
        }
        return lightest;
    }

    private static StreamName nameIn(int partition, int number, int partitions) {
        for (int salt = 0; ; salt++) {
            StreamName name = new StreamName("bench/stream-" + number + "-" + salt);
            if (StreamPartition.of(name, partitions) == partition) {
                return name;
            }
        }
    }
}
