package dev.ebb.topology.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ObserversTest {

    private static final StreamName STREAM = new StreamName("orders/1");

    private final List<String> told = new ArrayList<>();

    static List<Method> methods() {
        return Arrays.stream(RetentionObserver.class.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .toList();
    }

    /** A method that a new observation brings is one that this test finds by itself. */
    @ParameterizedTest
    @MethodSource("methods")
    void shouldTellAllInTurn(Method method) throws ReflectiveOperationException {
        // given
        var observers = new Observers(List.of(recording("one"), recording("two")));
        Object[] arguments = Arrays.stream(method.getParameterTypes())
                .map(ObserversTest::some)
                .toArray();

        // when
        method.invoke(observers, arguments);

        // then
        String call = method.getName() + Arrays.toString(arguments);
        assertThat(told).containsExactly("one " + call, "two " + call);
    }

    private RetentionObserver recording(String name) {
        return (RetentionObserver) Proxy.newProxyInstance(
                RetentionObserver.class.getClassLoader(),
                new Class<?>[] {RetentionObserver.class},
                (proxy, method, arguments) -> {
                    told.add(name + " " + method.getName()
                            + Arrays.toString(arguments == null ? new Object[0] : arguments));
                    return null;
                });
    }

    private static Object some(Class<?> type) {
        if (type == int.class) {
            return 3;
        }
        if (type == long.class) {
            return 7L;
        }
        if (type == boolean.class) {
            return true;
        }
        return type == StreamName.class ? STREAM : type == String.class ? "text" : null;
    }
}
