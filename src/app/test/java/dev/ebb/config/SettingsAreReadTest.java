package dev.ebb.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A setting exists only if a class reads it: the test follows the chain from the definition to a caller outside. */
class SettingsAreReadTest {

    private final JavaClasses classes = ArchConfiguration.withThreadLocalScope(SettingsAreReadTest::importClasses);
    private final JavaClass config = classes.get(EbbConfig.class);

    @Test
    void shouldBeReadOutsideTheConfigurationOrByAGetter() {
        // when
        List<String> unread = classes.get(Settings.class).getFields().stream()
                .filter(field -> field.getRawType().isEquivalentTo(Setting.class))
                .filter(field -> field.getAccessesToSelf().stream().noneMatch(this::isRead))
                .map(JavaMember::getName)
                .toList();

        // then: only the check reads this setting
        assertThat(unread).containsExactly("API_INSECURE");
    }

    @Test
    void shouldHaveACallerOutsideTheConfiguration() {
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

    /** Imports our own classes only, because resolving the others takes half a minute. */
    private static JavaClasses importClasses(ArchConfiguration importing) {
        importing.setResolveMissingDependenciesFromClassPath(false);
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.ebb");
    }

    private boolean isRead(JavaFieldAccess access) {
        return (access.getOriginOwner().equals(config) || isFromOutside(access)) && !isForItsKey(access);
    }

    /** A line that takes the key of a setting gives it a value. */
    private static boolean isForItsKey(JavaFieldAccess access) {
        return access.getOrigin().getMethodCallsFromSelf().stream()
                .filter(call -> call.getLineNumber() == access.getLineNumber())
                .anyMatch(call -> call.getTargetOwner().isEquivalentTo(Setting.class));
    }

    private static boolean isCalledFromOutside(JavaMethod method) {
        return method.getAccessesToSelf().stream().anyMatch(SettingsAreReadTest::isFromOutside);
    }

    private static boolean isFromOutside(JavaAccess<?> access) {
        return !access.getOriginOwner().getPackageName().equals("dev.ebb.config");
    }
}
