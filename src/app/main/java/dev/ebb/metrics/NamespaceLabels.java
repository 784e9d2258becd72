package dev.ebb.metrics;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;

/**
 * Labels of namespaces: the first thousand that this instance meets have one of their own, since producers choose the
 * names and each label costs memory here and in every Prometheus. All others share {@link #OTHERS}. None is ever taken
 * back, so no counter falls and nothing is counted in two places: sums and rates over all labels are exact.
 * Thread-safe.
 */
final class NamespaceLabels {

    /** The label of all namespaces without one of their own, and of one that is called so. */
    static final String OTHERS = "other";

    static final int MOST = 1000;

    private final Set<String> known = ConcurrentHashMap.newKeySet();

    /** The label of the namespace. */
    String of(String namespace) {
        return known.contains(namespace) || isAdded(namespace) ? namespace : OTHERS;
    }

    private synchronized boolean isAdded(String namespace) {
        return known.size() < MOST && known.add(namespace);
    }

    /** Values by namespace, added up by label. */
    <T> Map<String, T> byLabel(Map<String, T> byNamespace, BinaryOperator<T> sum) {
        Map<String, T> byLabel = new TreeMap<>();
        byNamespace.forEach((namespace, value) -> byLabel.merge(of(namespace), value, sum));
        return byLabel;
    }
}
