/** The formats of notifications: CloudEvent, Slack message and mail. Used by the notifier and the event stream. */
package io.forewarn.wire.notification;
