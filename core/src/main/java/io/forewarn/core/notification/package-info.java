/** Subscriptions, their filters, delivery cursors and dead letters. Used by the rules and the notifier. */
package io.forewarn.core.notification;
