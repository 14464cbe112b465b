package io.forewarn.wire.control;

import java.util.List;
import java.util.Map;

/**
 * One machine.
 *
 * @param state what it is doing, as far as the drivers told
 * @param boots how often it came up again
 * @param since when it got into this state
 * @param event its open event
 * @param polling never, polling or silent
 * @param lastPoll when it last asked
 * @param apiVersion with which api-version it last asked
 */
public record MachineBody(
        String tenant,
        String name,
        String group,
        int updateDomain,
        int faultDomain,
        String host,
        List<String> addresses,
        String listen,
        boolean spot,
        Map<String, String> tags,
        String state,
        int boots,
        String since,
        String detail,
        String event,
        String eventStatus,
        String polling,
        String lastPoll,
        String apiVersion) {}
