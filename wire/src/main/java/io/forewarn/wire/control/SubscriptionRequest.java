package io.forewarn.wire.control;

import java.util.List;

/**
 * Somebody to tell.
 *
 * @param tenant the only tenant it is subscribed to; left out, all that the token opens
 * @param url where a webhook is sent
 * @param to where mail is sent
 * @param groups the only groups it is subscribed to; left out, all
 * @param what what it is subscribed to; left out, the lives of events and rollouts; all for everything
 * @param secret what webhooks are signed with; left out, one is made and told once
 */
public record SubscriptionRequest(
        String name,
        String tenant,
        String url,
        List<String> to,
        List<String> groups,
        List<String> what,
        String secret) {}
