package dev.ebb.metrics;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;

/**
 * Labels of namespaces. The first thousand namespaces that this instance meets have a label of their own, since
 * producers choose the names and each label costs memory here and in every Prometheus; all others share {@link
 * #OTHERS}. A label is never withdrawn, so that no counter falls and nothing is counted twice: sums and rates over all
 * labels are exact. Thread-safe.
 */
final class NamespaceLabels {

    /** The label of all namespaces without a label of their own, and of a namespace with this name. */
    static final String OTHERS = "other";

    static final int MOST = 1000;

    private final Set<String> known = ConcurrentHashMap.newKeySet();

    /** Returns the label of the namespace. */
    String of(String namespace) {
        return known.contains(namespace) || isAdded(namespace) ? namespace : OTHERS;
    }

    private synchronized boolean isAdded(String namespace) {
        return known.size() < MOST && known.add(namespace);
    }

    /** Returns values by namespace, summed up by label. */
    <T> Map<String, T> byLabel(Map<String, T> byNamespace, BinaryOperator<T> sum) {
        Map<String, T> byLabel = new TreeMap<>();
        byNamespace.forEach((namespace, value) -> byLabel.merge(of(namespace), value, sum));
        return byLabel;
    }
}
