/**
 * The command line: every command calls the control API by its route table, except {@code serve}, which starts the
 * service. Uses the control API and {@code boot}.
 */
package io.forewarn.cli;
