/** Tells people what happened, by webhook and mail, from the pages of the log. Control and boot come in; the engine, the store, HTTP and SMTP go out. */
package io.forewarn.server.notification;
