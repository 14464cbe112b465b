package io.forewarn.wire.control;

import java.util.List;

/**
 * A subscription to add.
 *
 * @param tenant the tenant it is limited to; default: all tenants of the token
 * @param url target of a webhook
 * @param to mail addresses
 * @param groups the groups it is limited to; default: all
 * @param kinds the kinds to subscribe to; default: the lifecycle of events and rollouts; all for everything
 * @param secret secret with which webhooks are signed; default: a new one, shown once
 */
public record SubscriptionRequest(
        String name,
        String tenant,
        String url,
        List<String> to,
        List<String> groups,
        List<String> kinds,
        String secret) {}
