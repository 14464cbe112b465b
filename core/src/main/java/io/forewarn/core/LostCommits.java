package io.forewarn.core;

/**
 * Describes acknowledged commits that the store has lost.
 *
 * @param first the number of the first one
 * @param last the number of the last known one; less than the first if none is known
 */
public record LostCommits(long first, long last) {
    @Override
    public String toString() {
        return last > first
                ? "commits " + first + " to " + last
                : last == first ? "commit " + first : "commits from " + first + " on";
    }
}
