package dev.ebb.devstack;

import dev.ebb.devstack.process.Distribution;
import dev.ebb.devstack.process.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The classes of the services as Java keeps them in memory, written once for all starts of the build: to read and check them is
 * most of the work of a start. Java passes over an archive that does not fit its program.
 */
public final class ClassArchives {

    private static final Path FOLDER = Path.of("target", "it", "archives").toAbsolutePath();
    private static final List<Service> PROGRAMS =
            List.of(Service.APP, Service.CONNECT, Service.REGISTRY, Service.BROKER);

    private ClassArchives() {}

    /** Has the services of the stack start from their archives, as far as these are there. */
    public static DevStackBuilder into(DevStackBuilder builder) {
        PROGRAMS.forEach(service -> builder.jvmOptions(service, options(service).toArray(new String[0])));
        return builder;
    }

    /** Options of a Java that runs the program of the service. */
    public static List<String> options(Service service) {
        List<String> options = optionsOfTests(service);
        if (Files.exists(archive(service))) {
            options.add("-XX:SharedArchiveFile=" + archive(service));
        }
        return options;
    }

    /** Has the services of the stack write their archives when they end. */
    public static DevStackBuilder recordInto(DevStackBuilder builder) throws IOException {
        Files.createDirectories(FOLDER);
        for (Service service : PROGRAMS) {
            Files.deleteIfExists(draft(service));
            List<String> options = optionsOfTests(service);
            options.add("-XX:ArchiveClassesAtExit=" + draft(service));
            builder.jvmOptions(service, options.toArray(new String[0]));
        }
        return builder;
    }

    /** Puts what services that have ended wrote into its place. */
    public static void keep() throws IOException {
        for (Service service : PROGRAMS) {
            Files.move(draft(service), archive(service), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Returns true if the programs have not changed since their archives were written. */
    public static boolean areThere() throws IOException {
        Path application = Distribution.locate().applicationJar();
        Path stack = application.resolveSibling("../dev/ebb-dev.jar");
        for (Service service : PROGRAMS) {
            if (!isNewer(archive(service), application) || !isNewer(archive(service), stack)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isNewer(Path archive, Path program) throws IOException {
        return Files.exists(archive)
                && Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(program)) > 0;
    }

    /** The application takes the options of one that runs long, which those of a test do not. */
    private static List<String> optionsOfTests(Service service) {
        List<String> options = new ArrayList<>(List.of("-Xlog:disable"));
        if (service == Service.APP) {
            options.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        }
        return options;
    }

    private static Path archive(Service service) {
        return FOLDER.resolve(service.label() + ".jsa");
    }

    private static Path draft(Service service) {
        return FOLDER.resolve(service.label() + ".new");
    }
}
