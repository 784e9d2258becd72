package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.Rate;

/**
 * The result of a run whose last part counts.
 *
 * @param rate rate of the last part
 * @param appBytes bytes that the application wrote for each event of the whole run, merges included
 * @param brokerBytes bytes that the broker wrote for each event meanwhile, the work of its log cleaner included
 */
record LastPart(Rate rate, double appBytes, double brokerBytes) {

    double perSecond() {
        return rate.perSecond();
    }
}
