package io.forewarn.wire.control;

import java.util.List;

/**
 * The machines of the fleet in few bytes, for pictures of it.
 *
 * @param groups in the order of their names; a large group may be continued in the next answer
 * @param next the value of `after` for the next answer; absent at the end
 */
public record FleetCellsBody(List<GroupCellsBody> groups, String next) {}
