package io.forewarn.wire.control;

/**
 * Scheduled or started work on a host.
 *
 * @param event one of its events
 * @param type freeze, reboot, redeploy, preempt or terminate
 * @param status waiting, scheduled or started
 * @param rollout the rollout it is part of, if any
 * @param notBefore when it may start without approval; absent once it has started
 * @param machines number of machines on the host that it affects
 */
public record HostWorkBody(String event, String type, String status, String rollout, String notBefore, int machines) {}
