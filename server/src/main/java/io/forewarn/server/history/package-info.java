/** What happened, read back from the log in the store. The control API comes in; only the store and its format go out. */
package io.forewarn.server.history;
