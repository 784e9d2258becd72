package dev.ebb.files;

import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Accounts that may read a file that Ebb writes. No other account may ever write it, whatever the umask. */
public enum Readers {
    /** The account that writes it: keys, passwords, tokens. */
    OWNER("rw-------"),
    /** Every account, as far as the umask lets them. */
    ALL("rw-r--r--");

    private final String rights;

    Readers(String rights) {
        this.rights = rights;
    }

    /** Returns the rights of a new file. */
    FileAttribute<?> ofNew() {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights));
    }

    /** Returns the rights of a file that takes the place of another, which is opened to no further account. */
    FileAttribute<?> inPlaceOf(Set<PosixFilePermission> former) {
        Set<PosixFilePermission> kept = PosixFilePermissions.fromString(rights);
        kept.retainAll(former);
        kept.add(PosixFilePermission.OWNER_READ);
        kept.add(PosixFilePermission.OWNER_WRITE);
        return PosixFilePermissions.asFileAttribute(kept);
    }
}
