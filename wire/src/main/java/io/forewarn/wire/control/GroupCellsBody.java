package io.forewarn.wire.control;

import java.util.List;

/**
 * Machines of a group. The lists and the text of states have one item for each machine, in the same order.
 *
 * @param names names of the machines
 * @param updateDomainNumbers the update domain of each machine
 * @param faultDomainNumbers the fault domain of each machine
 * @param hosts the host of each machine; empty if it is not known
 * @param states one letter for each machine: r (its event is running), f (it failed), a (its event is approved), s (its
 *     event is scheduled), w (its event waits), q (it is silent), n (it never polled) or p (it polls)
 */
public record GroupCellsBody(
        String tenant,
        String name,
        int updateDomains,
        int faultDomains,
        List<String> names,
        List<Integer> updateDomainNumbers,
        List<Integer> faultDomainNumbers,
        List<String> hosts,
        String states) {}
