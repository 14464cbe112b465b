package io.forewarn.wire.control;

import java.util.List;
import java.util.Map;

/**
 * One machine.
 *
 * @param state its state, as the driver last reported it
 * @param boots how many times it has booted
 * @param since when it entered this state
 * @param event its open event
 * @param polling never, polling or silent
 * @param lastPoll when it last polled
 * @param apiVersion the api-version of its last poll
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
