package dev.ebb.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reasons why a folder cannot be used, in words: exceptions of Java often name the path and nothing else. Stateless. */
public final class FolderFault {

    private FolderFault() {}

    /** Makes the folder where it is missing, and returns the reason why it cannot be used; null if it can. */
    public static @Nullable String of(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            return of(e);
        }
        return Files.isWritable(folder) ? null : "this user may not write there";
    }

    /** Returns the reason of a failure to make a folder or a file in it. */
    public static String of(IOException failure) {
        String reason = failure instanceof FileSystemException known ? known.getReason() : null;
        if (failure instanceof AccessDeniedException) {
            return "this user may not write there";
        } else if (failure instanceof FileAlreadyExistsException || failure instanceof NotDirectoryException) {
            return "a part of its path is a file";
        } else if (failure instanceof NoSuchFileException) {
            return "the folder above it does not exist";
        }
        return reason == null ? String.valueOf(failure.getMessage()) : reason;
    }
}
