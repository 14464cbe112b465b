/**
 * The operator's command: every verb is a call of the control API by its route table, but {@code serve}, which starts the
 * service. People and scripts come in; the control API and {@code boot} go out.
 */
package io.forewarn.cli;
