/** The command line and the control API from outside: real processes, real signals. Nothing comes in; {@code cli} is started. */
package io.forewarn.acceptance.control;
