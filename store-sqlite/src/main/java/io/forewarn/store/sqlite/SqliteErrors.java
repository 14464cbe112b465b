package io.forewarn.store.sqlite;

import io.forewarn.core.engine.StoreException;
import io.forewarn.core.engine.StoreException.Kind;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Translates SQLite errors into store errors. */
final class SqliteErrors {
    static final String CURE_FOR_DAMAGE = "Restore it from a copy, or move it away to begin with an empty store";

    private final Kind kind;
    private final String sentence;
    private final SQLException cause;

    private SqliteErrors(Kind kind, String sentence, SQLException cause) {
        this.kind = kind;
        this.sentence = sentence;
        this.cause = cause;
    }

    static SqliteErrors of(SQLException e, StoreFile file) {
        SQLiteErrorCode code =
                e instanceof SQLiteException sqlite ? sqlite.getResultCode() : SQLiteErrorCode.UNKNOWN_ERROR;
        SQLiteErrorCode family = SQLiteErrorCode.getErrorCode(code.code & 0xff);
        return switch (family) {
            // All of these occur before the log contains a complete commit: nothing was written.
            case SQLITE_FULL ->
                rejected(e, "the disk of the store " + file + " is full. Free some space; nothing else is needed");
            case SQLITE_READONLY, SQLITE_PERM ->
                rejected(
                        e,
                        "the store " + file
                                + " cannot be written: its file or disk is read-only. Make it writable for this user");
            case SQLITE_CANTOPEN ->
                rejected(
                        e,
                        "the store " + file
                                + " cannot be opened. Its directory must exist and be writable for this user");
            case SQLITE_BUSY, SQLITE_LOCKED ->
                rejected(
                        e,
                        "the store " + file
                                + " is held by another program, perhaps a database browser. Close that one");
            case SQLITE_NOMEM, SQLITE_TOOBIG -> rejected(e, "the store " + file + " lacks memory: " + e.getMessage());
            case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT ->
                new SqliteErrors(
                        Kind.UNREADABLE,
                        "the store " + file + " is damaged or no database (" + code + "). " + CURE_FOR_DAMAGE,
                        e);
            default ->
                new SqliteErrors(
                        Kind.UNCERTAIN,
                        "the store " + file + " failed (" + code + "): " + e.getMessage()
                                + ". Check the system log for disk errors",
                        e);
        };
    }

    private static SqliteErrors rejected(SQLException e, String sentence) {
        return new SqliteErrors(Kind.REJECTED, sentence, e);
    }

    StoreException whileWriting() {
        return new StoreException(kind, sentence, cause);
    }

    /** A read certainly wrote nothing. */
    StoreException whileReading() {
        return new StoreException(kind == Kind.UNCERTAIN ? Kind.REJECTED : kind, sentence, cause);
    }
}
