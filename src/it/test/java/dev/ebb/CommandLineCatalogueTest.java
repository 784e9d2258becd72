package dev.ebb;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandKind;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CommandLineCatalogueTest {

    /** Sent by instances, for {@code ebb verify --repair}. */
    private static final CommandKind<?> OF_INSTANCES = Command.RepairMirror.KIND;

    /** A command is sent by the class that calls it by its kind. */
    @Test
    void shouldBeAbleToSendEveryCommand() {
        // when
        Set<String> sent = new ClassFileImporter()
                        .importPackages("dev.ebb")
                        .that(resideInAnyPackage(
                                "dev.ebb.cli..", "dev.ebb.erase", "dev.ebb.parking", "dev.ebb.source", "dev.ebb.undo"))
                        .stream()
                        .flatMap(type -> type.getFieldAccessesFromSelf().stream())
                        .filter(access -> access.getTarget().getName().equals("KIND"))
                        .map(access -> access.getTargetOwner().getName())
                        .collect(Collectors.toSet());

        // then
        assertThat(sent)
                .containsAll(Command.Kinds.LIST.stream()
                        .filter(kind -> kind != OF_INSTANCES)
                        .map(kind -> kind.type().getName())
                        .toList());
    }
}
