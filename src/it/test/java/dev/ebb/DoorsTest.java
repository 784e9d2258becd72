package dev.ebb;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The product has no doors for tests, and no dead code: methods that nothing calls, or nothing but a test. */
class DoorsTest {

    private static final ImportOption NO_TESTS =
            location -> !location.contains("/test-classes/") && !location.contains("-tests.jar");

    /** Methods that tests alone call, by the reason why they are there all the same. */
    private static final Map<String, Set<String>> KNOWN = Map.of(
            "a server with port 0 says where it listens",
            Set.of("api.ApiServer.port", "api.ApiServer.healthPort"),
            "sizes and contents by which tests bound what is kept in memory",
            Set.of(
                    "api.connection.ConnectionCrowd.size",
                    "api.console.ConsoleFiles.all",
                    "api.forecast.TimeSteps.count",
                    "store.arrival.WaitingEnds.count",
                    "store.state.ExecutionIndex.dueMs",
                    "topology.CommitSignal.isOpen",
                    "topology.fault.FailedRecords.size",
                    "topology.trash.TrashIndex.isInMemory",
                    "topology.trash.TrashIndex.size",
                    "topology.wire.BiggestParts.namespaces"),
            "the recount of a whole store reads its tables and keys",
            Set.of(
                    "store.EventStore.events",
                    "store.EventStore.namespaces",
                    "store.layout.EventKeys.waiting",
                    "store.parking.ParkedStream.head",
                    "store.layout.UsageKeys.firstGrave",
                    "store.layout.UsageKeys.isStream",
                    "store.layout.UsageKeys.nameOfWaitingEnd",
                    "store.layout.UsageKeys.sidOfExecution",
                    "store.read.StreamContext.isOpen",
                    "store.read.StreamContext.state",
                    "store.state.StreamState.bytes",
                    "store.state.StreamState.isPassedThrough"),
            "generated pages are compared with the pages that are there",
            Set.of("config.GeneratedSection.read"),
            "catalogues and values that tests compare field by field",
            Set.of(
                    "config.ConfigProblemsException.problems",
                    "domain.policy.FieldType.column",
                    "domain.receipt.Hash.bytes",
                    "domain.command.Outcome.Undone.count",
                    "serde.lines.Line.number",
                    "serde.mirror.RowImage.values"),
            "records without a registry, and commands and clients without a process",
            Set.of("serde.records.AvroRecords.of", "config.ConfigSources.ofFlags"),
            "the services of the stack for developers call their extensions",
            Set.of("devstack.guard.ConnectGuard.Filter.filter", "devstack.guard.GuardedRegistry.run"),
            "the stack for developers is also that of the tests of the whole",
            Set.of(
                    "devstack.DevStackBuilder.appProgram",
                    "devstack.DevStackBuilder.broker",
                    "devstack.DevStackBuilder.portOffset",
                    "devstack.process.StackProcess.restart"));

    @Test
    void nothingInMainIsCalledByTestsAlone() {
        Set<String> ofMain = new ClassFileImporter()
                .withImportOption(NO_TESTS).importPackages("dev.ebb").stream()
                        .map(JavaClass::getName)
                        .collect(Collectors.toSet());
        JavaClasses all = new ClassFileImporter().importPackages("dev.ebb");

        Set<String> doors = all.stream()
                .filter(type -> ofMain.contains(type.getName()))
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> isDoor(method, ofMain))
                .map(method -> nameOf(method).substring("dev.ebb.".length()))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(doors)
                .containsExactlyInAnyOrderElementsOf(
                        KNOWN.values().stream().flatMap(Set::stream).toList());
    }

    private static boolean isDoor(JavaMethod method, Set<String> ofMain) {
        Set<String> callers = method.getAccessesToSelf().stream()
                .filter(access -> !access.getOrigin().equals(method))
                .map(JavaAccess::getOriginOwner)
                .map(JavaClass::getName)
                .collect(Collectors.toSet());
        return callers.stream().noneMatch(ofMain::contains)
                && !method.getModifiers().contains(JavaModifier.SYNTHETIC)
                && !isOfTheLanguage(method)
                && !isOverriding(method);
    }

    /** Components of records and values of enums are there in any case, and Java calls what begins a program. */
    private static boolean isOfTheLanguage(JavaMethod method) {
        JavaClass type = method.getOwner();
        return method.getName().equals("main")
                || (type.isEnum() && Set.of("values", "valueOf").contains(method.getName()))
                || (type.isRecord()
                        && method.getRawParameterTypes().isEmpty()
                        && type.tryGetField(method.getName()).isPresent());
    }

    /** Frameworks call what they declare. */
    private static boolean isOverriding(JavaMethod method) {
        JavaClass type = method.getOwner();
        return Stream.concat(type.getAllRawSuperclasses().stream(), type.getAllRawInterfaces().stream())
                .flatMap(above -> above.getMethods().stream())
                .anyMatch(above -> above.getName().equals(method.getName())
                        && above.getRawParameterTypes().size()
                                == method.getRawParameterTypes().size());
    }

    private static String nameOf(JavaMethod method) {
        return method.getOwner().getName().replace('$', '.') + "." + method.getName();
    }
}
