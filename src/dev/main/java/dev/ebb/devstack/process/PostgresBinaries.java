package dev.ebb.devstack.process;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.apache.commons.io.FileUtils;

/** Unpacks the programs of PostgreSQL for this machine from the classpath, once. */
final class PostgresBinaries {
    private static final int OWNER_MAY_EXECUTE = 0100;
    private static final Lock UNPACKING = new ReentrantLock();

    private PostgresBinaries() {}

    /** Returns the folder of the programs; {@code home} appears whole or not at all. */
    static Path unpackedTo(Path home) throws IOException {
        UNPACKING.lock();
        try {
            if (!Files.exists(home)) {
                Files.createDirectories(home.getParent());
                var whole = Files.createTempDirectory(home.getParent(), "postgres-");
                unpack(whole);
                moveUnlessThere(whole, home);
            }
            return home.resolve("bin");
        } finally {
            UNPACKING.unlock();
        }
    }

    private static void moveUnlessThere(Path whole, Path home) throws IOException {
        try {
            Files.move(whole, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!Files.exists(home)) {
                throw e;
            }
            // Another process was faster.
            FileUtils.deleteDirectory(whole.toFile());
        }
    }

    private static void unpack(Path folder) throws IOException {
        try (InputStream archive = archive();
                var tar = new TarArchiveInputStream(new XZCompressorInputStream(archive))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                unpack(entry, tar, folder.resolve(entry.getName()));
            }
        }
    }

    private static void unpack(TarArchiveEntry entry, InputStream content, Path target) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Files.createDirectories(target.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
        } else {
            Files.copy(content, target);
            Files.setPosixFilePermissions(target, permissions(entry.getMode()));
        }
    }

    private static Set<PosixFilePermission> permissions(int mode) {
        var permissions = EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        if ((mode & OWNER_MAY_EXECUTE) != 0) {
            permissions.add(PosixFilePermission.OWNER_EXECUTE);
        }
        return permissions;
    }

    private static InputStream archive() throws IOException {
        var system = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "Darwin" : "Linux";
        var machine = System.getProperty("os.arch");
        var archive = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(
                system, machine.equals("amd64") ? "x86_64" : machine);
        if (archive == null) {
            throw new IOException("there are no PostgreSQL programs for " + system + " on " + machine);
        }
        return archive;
    }
}
