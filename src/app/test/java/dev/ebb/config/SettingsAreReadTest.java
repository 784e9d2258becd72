package dev.ebb.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;

/** A setting exists only if something reads it: here is the chain from the definition to a caller outside. */
class SettingsAreReadTest {

    private static final List<Method> GETTERS = Arrays.stream(EbbConfig.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .filter(method ->
                    method.getParameterCount() == 0 && !method.getName().equals("toString"))
            .toList();

    @Test
    void shouldHaveAGetterThatReadsIt() throws ReflectiveOperationException {
        // given
        EbbConfig config = EbbConfig.load(ConfigSources.ofFlags(valuesOfAll()));

        // when
        for (Method getter : GETTERS) {
            getter.invoke(config);
        }

        // then: these matter to the check alone
        assertThat(config.unread()).containsExactlyInAnyOrder(Settings.API_INSECURE, Settings.API_PEER_SECRET_FILE);
    }

    @Test
    void shouldHaveACallerOutsideTheConfiguration() {
        // given
        JavaClass config = ArchConfiguration.withThreadLocalScope(SettingsAreReadTest::importConfig);

        // when
        List<String> withoutCaller = config.getMethods().stream()
                .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(method -> !method.getModifiers().contains(JavaModifier.STATIC))
                .filter(method -> !method.getName().equals("toString"))
                .filter(method -> !isCalledFromOutside(method))
                .map(JavaMethod::getName)
                .toList();

        // then
        assertThat(withoutCaller).isEmpty();
    }

    /** Only our own classes: to look behind those of others takes half a minute. */
    private static JavaClass importConfig(ArchConfiguration importing) {
        importing.setResolveMissingDependenciesFromClassPath(false);
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.ebb")
                .get(EbbConfig.class);
    }

    private static boolean isCalledFromOutside(JavaMethod method) {
        return method.getAccessesToSelf().stream()
                .anyMatch(access -> !access.getOriginOwner().getPackageName().equals("dev.ebb.config"));
    }

    private static Map<String, String> valuesOfAll() {
        return Settings.all().stream()
                .collect(Collectors.toMap(
                        key -> key.name,
                        key -> key.type == ConfigDef.Type.PASSWORD ? "" : String.valueOf(key.defaultValue)));
    }
}
