package io.forewarn.wire.control;

import java.util.List;

/**
 * Somebody who is told what happens.
 *
 * @param tenant the only tenant it is subscribed to, or * for all
 * @param url where a webhook is sent
 * @param to where mail is sent
 * @param groups the only groups it is subscribed to
 * @param what what it is subscribed to
 * @param delivered how many notifications it took
 * @param waiting how many are still to be sent, dead letters not counted; left out while the log cannot be read
 * @param dead how many could not be delivered
 * @param tries how often the next one was tried in vain; known by the node that writes
 * @param lastError why the last try failed; left out if it did not, known by the node that writes
 * @param secret what webhooks are signed with; told once, when it was made here
 */
public record SubscriptionBody(
        String name,
        String tenant,
        String url,
        List<String> to,
        List<String> groups,
        List<String> what,
        String createdAt,
        Long delivered,
        Long waiting,
        Integer dead,
        Integer tries,
        String lastError,
        String secret) {}
