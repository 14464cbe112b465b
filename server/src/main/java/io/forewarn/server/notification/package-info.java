/**
 * Notifies people of what happened, by webhook and mail, from the pages of the log. Used by {@code control} and {@code boot}; uses
 * the engine, the store, HTTP and SMTP.
 */
package io.forewarn.server.notification;
