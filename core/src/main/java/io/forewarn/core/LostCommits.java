package io.forewarn.core;

/**
 * Commits that were acknowledged and are not in the store any more.
 *
 * @param first the number of the first one
 * @param last the number of the last one that is known; less than the first if none is
 */
public record LostCommits(long first, long last) {
    @Override
    public String toString() {
        return last > first
                ? "commits " + first + " to " + last
                : last == first ? "commit " + first : "commits from " + first + " on";
    }
}
