package io.forewarn.store.sqlite;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Says what is wrong with a file without the name of the exception. */
final class FileErrors {
    private FileErrors() {}

    static String why(IOException failure) {
        if (failure instanceof FileSystemException named && named.getFile() != null) {
            String reason = named.getReason();
            return named.getFile() + ": " + (reason == null ? kind(named) : reason);
        }
        return failure.getMessage() == null ? "an input or output error" : failure.getMessage();
    }

    private static String kind(FileSystemException failure) {
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof NoSuchFileException) {
            return "it does not exist";
        }
        if (failure instanceof NotDirectoryException) {
            return "it is not a folder";
        }
        return failure instanceof FileAlreadyExistsException ? "it is there already" : "an input or output error";
    }
}
