/** The store in one SQLite file, used by {@code boot} as a {@code Store}. */
package io.forewarn.store.sqlite;
