package dev.ebb;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaPackage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds classes of a package that depend on one another in a circle: its strongly connected components, by R. Tarjan
 * (Depth-first search and linear graph algorithms, 1972). Nested classes count as their outermost class.
 */
final class Knots {

    private final Map<String, Set<String>> edges;
    private final Map<String, Integer> index = new HashMap<>();
    private final Map<String, Integer> low = new HashMap<>();
    private final Deque<String> open = new ArrayDeque<>();
    private final List<Set<String>> found = new ArrayList<>();

    private Knots(Map<String, Set<String>> edges) {
        this.edges = edges;
        for (String type : edges.keySet()) {
            if (!index.containsKey(type)) {
                visit(type);
            }
        }
    }

    /** The knots of the package, each as the simple names of its classes; single classes are left out. */
    static List<Set<String>> of(JavaPackage room) {
        Map<String, Set<String>> edges = room.getClasses().stream()
                .collect(Collectors.groupingBy(
                        Knots::outermost,
                        Collectors.flatMapping(
                                type -> type.getDirectDependenciesFromSelf().stream()
                                        .map(Dependency::getTargetClass)
                                        .filter(target ->
                                                target.getPackageName().equals(room.getName()))
                                        .map(Knots::outermost),
                                Collectors.toCollection(TreeSet::new))));
        return of(edges);
    }

    /** The knots of a graph. */
    static List<Set<String>> of(Map<String, Set<String>> edges) {
        return new Knots(edges).found;
    }

    private static String outermost(JavaClass type) {
        JavaClass outer = type;
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        return outer.getSimpleName();
    }

    private void visit(String type) {
        int number = index.size();
        index.put(type, number);
        low.put(type, number);
        open.push(type);
        for (String target : edges.getOrDefault(type, Set.of())) {
            if (!index.containsKey(target)) {
                visit(target);
                low.merge(type, low.get(target), Math::min);
            } else if (open.contains(target)) {
                low.merge(type, index.get(target), Math::min);
            }
        }
        if (low.get(type) == number) {
            close(type);
        }
    }

    private void close(String type) {
        Set<String> knot = new TreeSet<>();
        String member;
        do {
            member = open.pop();
            knot.add(member);
        } while (!member.equals(type));
        if (knot.size() > 1) {
            found.add(knot);
        }
    }
}
