/** The formats of notifications: CloudEvent and mail. Used by the notifier and the event stream. */
package io.forewarn.wire.notification;
