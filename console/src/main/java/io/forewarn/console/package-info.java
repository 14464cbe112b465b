/** The files of the web console, for the server to serve. Uses the JDK only. */
package io.forewarn.console;
