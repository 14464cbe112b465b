/** What happened, line by line. The rules write it, the server's history reads it. Pure. */
package io.forewarn.core.history;
