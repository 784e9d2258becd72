package dev.ebb;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.ebb.domain.retention.RetentionDecider;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules about rooms and layers. */
class ArchitectureTest {

    /** The tests of the other modules may be folders or jars. */
    private static final ImportOption NO_TESTS =
            location -> !location.contains("/test-classes/") && !location.contains("-tests.jar");

    private static final JavaClasses EBB =
            new ClassFileImporter().withImportOption(NO_TESTS).importPackages("dev.ebb");

    /**
     * Homes of a feature in the app: its query, answer, route and commands in one room, made of the parts of all
     * layers.
     * Only what puts an instance, its routes or the command line together knows them.
     */
    private static final String[] FEATURES = {
        "dev.ebb.archive",
        "dev.ebb.erase",
        "dev.ebb.hold",
        "dev.ebb.instance",
        "dev.ebb.parking",
        "dev.ebb.plan",
        "dev.ebb.receipt",
        "dev.ebb.source",
        "dev.ebb.undo"
    };

    private static final Set<String> FEATURE_ROOMS = Set.of(FEATURES);
    private static final DescribedPredicate<JavaClass> IN_A_FEATURE = resideInAnyPackage(FEATURES);

    @Test
    void thereAreClasses() {
        assertThat(EBB.size()).isGreaterThan(200);
        for (String room : new String[] {
            "domain",
            "store",
            "serde",
            "topology",
            "sql",
            "port",
            "wire",
            "api",
            "metrics",
            "config",
            "runtime",
            "cli",
            "devstack"
        }) {
            assertThat(EBB.that(resideInAPackage("dev.ebb." + room + "..")).size())
                    .as(room)
                    .isGreaterThan(3);
        }
    }

    @Test
    void domainKnowsOnlyTheJdk() {
        classes()
                .that()
                .resideInAPackage("dev.ebb.domain..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.ebb.domain..",
                        "java.lang..",
                        "java.math",
                        "java.util..",
                        "java.time..",
                        "java.nio",
                        "java.nio.charset",
                        "java.security..",
                        "org.jspecify.annotations")
                .check(EBB);
    }

    @Test
    void domainHasNoClock() {
        noClasses()
                .that()
                .resideInAPackage("dev.ebb.domain..")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Instant.class, "now")
                .check(EBB);
    }

    @Test
    void storeAndTopologyTakeTheTimeAsAnArgument() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.ebb.store..", "dev.ebb.topology..")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .check(EBB);
    }

    @Test
    void apiDoesNotKnowKafka() {
        noClasses()
                .that()
                .resideInAPackage("dev.ebb.api..")
                .or()
                .haveSimpleNameEndingWith("Resource")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "dev.ebb.topology..", "dev.ebb.store..", "dev.ebb.runtime..")
                .check(EBB);
    }

    @Test
    void featuresDoNotKnowOneAnother() {
        slices().assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        return FEATURE_ROOMS.contains(type.getPackageName())
                                ? SliceIdentifier.of(type.getPackageName())
                                : SliceIdentifier.ignore();
                    }

                    @Override
                    public String getDescription() {
                        return "features";
                    }
                })
                .should()
                .notDependOnEachOther()
                .check(EBB);
    }

    /** A type that is named after a feature lies in one of its rooms; none may be added. */
    @ParameterizedTest
    @CsvSource({"undo|trash, 5", "eras, 3", "receipt, 3", "parked|parking, 5", "archiv, 4"})
    void featuresLiveInFewRooms(String words, int most) {
        assertThat(EBB.stream()
                        .filter(ArchitectureTest::isTopLevel)
                        .filter(type -> !type.getPackageName().startsWith("dev.ebb.bench"))
                        .filter(type -> type.getSimpleName().matches(".*(?i:" + words + ").*"))
                        .map(JavaClass::getPackageName)
                        .distinct())
                .isNotEmpty()
                .hasSizeLessThanOrEqualTo(most);
    }

    @Test
    @Tag("A-4")
    void onlyTheStoreWritesTheStateOfEvents() {
        noClasses()
                .that(not(resideInAnyPackage("dev.ebb.store..", "dev.ebb.bench..")))
                .and()
                .doNotHaveFullyQualifiedName("dev.ebb.topology.gate.GateStore")
                .and()
                .doNotHaveFullyQualifiedName("dev.ebb.topology.policy.AcceptedPoliciesProcessor")
                .and()
                .doNotHaveFullyQualifiedName("dev.ebb.topology.CommitSignal")
                .and()
                .doNotHaveFullyQualifiedName("dev.ebb.topology.source.TableMemory")
                .should()
                .callMethod(KeyValueStore.class, "put", Object.class, Object.class)
                .orShould()
                .callMethod(KeyValueStore.class, "delete", Object.class)
                .check(EBB);
    }

    @Test
    void dependenciesPointOneWay() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.ebb..")
                .layer("domain")
                .definedBy("dev.ebb.domain..")
                .layer("store")
                .definedBy("dev.ebb.store..")
                .layer("serde")
                .definedBy("dev.ebb.serde..")
                .layer("topology")
                .definedBy("dev.ebb.topology..")
                .layer("sql")
                .definedBy("dev.ebb.sql..")
                .layer("port")
                .definedBy("dev.ebb.port..")
                .layer("wire")
                .definedBy("dev.ebb.wire..")
                .layer("api")
                .definedBy("dev.ebb.api..")
                .layer("metrics")
                .definedBy("dev.ebb.metrics..")
                .layer("config")
                .definedBy("dev.ebb.config..")
                .layer("runtime")
                .definedBy("dev.ebb.runtime..")
                .layer("features")
                .definedBy(FEATURES)
                .layer("sink")
                .definedBy("dev.ebb.sink..")
                .layer("files")
                .definedBy("dev.ebb.files..")
                .layer("stacks")
                .definedBy("dev.ebb.stacks..")
                .layer("devstack")
                .definedBy("dev.ebb.devstack..")
                .layer("bench")
                .definedBy("dev.ebb.bench..")
                .layer("cli")
                .definedBy("dev.ebb.cli..")
                .whereLayer("domain")
                .mayNotAccessAnyLayer()
                .whereLayer("store")
                .mayOnlyAccessLayers("domain")
                .whereLayer("serde")
                .mayOnlyAccessLayers("domain")
                .whereLayer("topology")
                .mayOnlyAccessLayers("domain", "store", "serde")
                .whereLayer("sql")
                .mayOnlyAccessLayers("domain", "serde", "files")
                .whereLayer("sink")
                .mayNotAccessAnyLayer()
                .whereLayer("sink")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("metrics")
                .mayOnlyAccessLayers("domain", "store", "topology", "config")
                .whereLayer("config")
                .mayOnlyAccessLayers("domain", "store", "serde", "topology", "sql", "files")
                .whereLayer("port")
                .mayOnlyAccessLayers("domain", "serde")
                .whereLayer("wire")
                .mayOnlyAccessLayers("domain", "serde", "port")
                .whereLayer("wire")
                .mayOnlyBeAccessedByLayers("api", "cli", "features")
                .whereLayer("api")
                .mayOnlyAccessLayers("domain", "serde", "port", "wire", "files", "features")
                .whereLayer("runtime")
                .mayOnlyAccessLayers(
                        "domain",
                        "store",
                        "serde",
                        "topology",
                        "sql",
                        "port",
                        "api",
                        "metrics",
                        "config",
                        "files",
                        "features")
                .whereLayer("features")
                .mayOnlyBeAccessedByLayers("api", "cli", "runtime", "bench")
                .whereLayer("files")
                .mayNotAccessAnyLayer()
                .whereLayer("stacks")
                .mayOnlyAccessLayers("files")
                .whereLayer("stacks")
                .mayOnlyBeAccessedByLayers("cli", "devstack", "bench")
                .whereLayer("devstack")
                .mayOnlyBeAccessedByLayers("cli", "bench")
                .whereLayer("bench")
                .mayOnlyBeAccessedByLayers("cli")
                .whereLayer("cli")
                .mayOnlyBeAccessedByLayers("features")
                .check(EBB);
    }

    /** Copies made by the JDK cost the square of the number of names if they have one hash. */
    @Test
    @Tag("O-20")
    void whatComesFromOutsideIsCopiedAtALinearCost() {
        noClasses()
                .that(resideInAnyPackage(
                        "dev.ebb.domain..",
                        "dev.ebb.store..",
                        "dev.ebb.serde..",
                        "dev.ebb.topology..",
                        "dev.ebb.metrics..",
                        "dev.ebb.port..",
                        "dev.ebb.wire..",
                        "dev.ebb.api..",
                        "dev.ebb.runtime.."))
                .or(resideInAnyPackage(FEATURES))
                .and()
                .doNotHaveFullyQualifiedName("dev.ebb.domain.Snapshot")
                .should()
                .callMethod(Map.class, "copyOf", Map.class)
                .orShould()
                .callMethod(Set.class, "copyOf", Collection.class)
                .orShould()
                .callMethod(Collectors.class, "toUnmodifiableSet")
                .orShould()
                .callMethod(Collectors.class, "toUnmodifiableMap", Function.class, Function.class)
                .orShould()
                .callMethod(Collectors.class, "toUnmodifiableMap", Function.class, Function.class, BinaryOperator.class)
                .check(EBB);
    }

    @Test
    void packagesAreNullMarked() {
        for (JavaPackage room : EBB.getPackage("dev.ebb").getSubpackagesInTree()) {
            if (!room.getClasses().isEmpty()) {
                assertThat(room.isAnnotatedWith(NullMarked.class))
                        .as(room.getName())
                        .isTrue();
            }
        }
    }

    @Test
    void roomsHaveNoCycles() {
        slices().matching("dev.ebb.(**)").should().beFreeOfCycles().check(EBB);
    }

    @Test
    void layersHaveNoCycles() {
        slices().matching("dev.ebb.(*)..")
                .should()
                .beFreeOfCycles()
                .ignoreDependency(IN_A_FEATURE, DescribedPredicate.alwaysTrue())
                .check(EBB);
    }

    @Test
    void roomsHoldAtMostThirtyTypes() {
        for (JavaPackage room : EBB.getPackage("dev.ebb").getSubpackagesInTree()) {
            assertThat(room.getClasses().stream().filter(ArchitectureTest::isTopLevel))
                    .as(room.getName())
                    .hasSizeLessThanOrEqualTo(30);
        }
    }

    /** Records that are too long and have to become shorter; none may be added. */
    private static final Set<String> LONG_RECORDS = Set.of(
            "ArchiveView",
            "AuditRecord",
            "AuditView",
            "CommandContext",
            "ForecastView",
            "InsightPorts",
            "PartitionView",
            "RejectedView",
            "Result",
            "State",
            "StatusView",
            "StreamView",
            "SweepReport",
            "SweepView",
            "Swept",
            "TaskStatus",
            "TopologySettings",
            "TrashedView");

    /** A record of more components has several meanings, most of which are empty at any one time. */
    @Test
    void recordsHaveAtMostTwelveComponents() {
        assertThat(EBB.stream()
                        .filter(JavaClass::isRecord)
                        .filter(type -> type.getFields().stream()
                                        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                                        .count()
                                > 12)
                        .map(JavaClass::getSimpleName))
                .containsExactlyInAnyOrderElementsOf(LONG_RECORDS);
    }

    /** ArchUnit counts the arrays of a nested enum as top-level classes. */
    private static boolean isTopLevel(JavaClass type) {
        return type.isTopLevelClass()
                && !type.isArray()
                && !type.getSimpleName().equals("package-info");
    }

    /**
     * A type that only its room needs is not public, and one that only its neighbour needs is nested in it. The share
     * may only grow; the aim is a half.
     */
    @Test
    void oneOfThreeTypesIsOfItsRoomAlone() {
        List<JavaClass> types = EBB.stream()
                .filter(type -> isTopLevel(type) || type.isMemberClass())
                .toList();
        long hidden = types.stream()
                .filter(type -> !type.getModifiers().contains(JavaModifier.PUBLIC))
                .count();
        assertThat(hidden * 3).isGreaterThanOrEqualTo(types.size());
    }

    @Test
    void noTwoTypesShareASimpleName() {
        Map<String, List<String>> rooms = EBB.stream()
                .filter(ArchitectureTest::isTopLevel)
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName, Collectors.mapping(JavaClass::getPackageName, Collectors.toList())));
        assertThat(rooms).allSatisfy((name, in) -> assertThat(in).as(name).hasSize(1));
    }

    @Test
    void roomsHaveNoKnotsAboveThree() {
        for (JavaPackage room : EBB.getPackage("dev.ebb").getSubpackagesInTree()) {
            assertThat(Knots.of(room)).as(room.getName()).allSatisfy(knot -> assertThat(knot)
                    .hasSizeLessThanOrEqualTo(3));
        }
    }

    /**
     * Each type that asks is one more way to tell what goes, which must agree with all others. The seventh is that of
     * {@code ebb source test}, which has records and no store.
     */
    @Test
    void atMostSevenTypesAskTheDecider() {
        Set<String> asking = EBB.get(RetentionDecider.class).getMethodCallsToSelf().stream()
                .filter(call -> Set.of("decide", "isHidden").contains(call.getName()))
                .map(call -> call.getOriginOwner().getName().replaceFirst("\\$.*", ""))
                .filter(name -> !name.equals(RetentionDecider.class.getName()))
                .collect(Collectors.toSet());
        assertThat(asking).isNotEmpty().hasSizeLessThanOrEqualTo(7);
    }

    @Test
    void portsKnowNoHttp() {
        noClasses()
                .that()
                .resideInAPackage("dev.ebb.port..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.javalin..",
                        "jakarta.servlet..",
                        "org.eclipse.jetty..",
                        "org.apache.kafka..",
                        "com.fasterxml.jackson..")
                .check(EBB);
    }

    @Test
    void onlyWhatTalksToPeopleWritesToTheStandardStreams() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.ebb.cli..", "dev.ebb.devstack..", "dev.ebb.bench..")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(EBB);
    }

    @Test
    void namesSayWhatAClassIs() {
        noClasses()
                .should()
                .haveSimpleNameEndingWith("Impl")
                .orShould()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .orShould()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Data")
                .orShould()
                .haveSimpleNameEndingWith("Info")
                .check(EBB);
        noClasses()
                .should()
                .resideInAnyPackage("..util..", "..utils..", "..common..", "..impl..", "..service..", "..helper..")
                .check(EBB);
    }
}
