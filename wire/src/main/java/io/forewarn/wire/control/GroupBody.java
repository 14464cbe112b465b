package io.forewarn.wire.control;

/**
 * One group.
 *
 * @param machines how many
 * @param enabled whether its machines get notice; they do once one of them asked
 * @param incarnation of its document
 * @param lastPoll when any of its machines last asked
 * @param events how many are open
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
