package io.forewarn.wire.control;

/**
 * One group.
 *
 * @param machines number of machines
 * @param enabled whether its machines get notice; they do once one of them has polled
 * @param incarnation incarnation of its document
 * @param lastPoll when any of its machines last polled
 * @param events number of open events
 */
public record GroupBody(
        String tenant,
        String name,
        String kind,
        int updateDomains,
        int faultDomains,
        int machines,
        boolean enabled,
        String enabledAt,
        long incarnation,
        String lastPoll,
        int events) {}
