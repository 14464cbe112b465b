/** The store in one file. {@code boot} and tests open it as a {@code Store}; SQLite and the file system go out. */
package io.forewarn.store.sqlite;
