package io.forewarn.core.rules;

import io.forewarn.core.StoredRecord;
import io.forewarn.core.fleet.GroupId;
import java.time.Instant;
import java.util.Map;

/**
 * When each machine of a group last polled and with which api-version. Saved periodically, and with the start of a rollout's work if it
 * matters for what comes after that.
 */
public record LastPolls(GroupId group, Map<String, Poll> machines) implements StoredRecord {
    /** One machine's last request. */
    public record Poll(Instant at, String apiVersion) {}

    public static final String PREFIX = "polls/";

    public LastPolls {
        machines = Map.copyOf(machines);
    }

    @Override
    public String key() {
        return PREFIX + group;
    }
}
