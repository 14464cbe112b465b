package io.forewarn.server.forward;

import io.forewarn.core.engine.MachineView;
import io.forewarn.core.fleet.Machine;
import io.forewarn.core.fleet.MachineId;
import java.time.Instant;
import java.util.List;

/** What a follower reports to the writer without waiting for an answer: sightings, refusals and polls. */
public record ForwardedReports(List<ForwardedCommand> commands, List<Poll> polls) {
    public ForwardedReports {
        commands = commands == null ? List.of() : commands;
        polls = polls == null ? List.of() : polls;
    }

    /** A machine's last request. */
    public record Poll(String tenant, String machine, String at, String apiVersion) {
        static Poll of(MachineView view) {
            Machine machine = view.machine();
            String at = Instant.ofEpochMilli(view.lastPoll()).toString();
            return new Poll(machine.id().tenant(), machine.name(), at, view.apiVersion());
        }

        MachineId machineId() {
            return new MachineId(tenant, machine);
        }

        long millis() {
            return Instant.parse(at).toEpochMilli();
        }
    }
}
