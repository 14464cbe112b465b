package io.forewarn.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.server.log.Log;
import io.forewarn.server.log.LogFormat;
import io.forewarn.store.etcd.EtcdMembers.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class MemberLossTest {
    private final List<String> log = new ArrayList<>();
    private final AtomicBoolean writes = new AtomicBoolean(true);
    private final EtcdHealth watch = new EtcdHealth(writes::get, Log.to(log::add, LogFormat.LOGFMT));
    private final Member well = new Member("http://one", "one", true, true, 1, 0, null);
    private final Member back = new Member("http://two", "two", true, false, 1, 0, null);
    private final Member gone = new Member("http://two", "two", false, false, 0, 0, "nothing answers");

    @Test
    void aMemberThatDoesNotAnswerTwiceIsLostOnceAndBackOnce() {
        assertTrue(Double.isNaN(watch.members()));
        watch.seen(List.of(well, back));
        watch.seen(List.of(well, gone));
        assertEquals(List.of(), log, "it may only have been busy");
        watch.seen(List.of(well, gone));
        watch.seen(List.of(well, gone));
        assertEquals(1, log.size(), log::toString);
        assertTrue(
                log.get(0)
                        .endsWith(
                                "level=warning what=etcd-member-lost member=two url=http://two reason=\"nothing answers\""),
                log::toString);
        assertEquals(2, watch.members());
        assertEquals(1, watch.responding());
        watch.seen(List.of()); // Nobody looked.
        assertEquals(2, watch.members());
        watch.seen(List.of(well, back));
        watch.seen(List.of(well, back));
        assertEquals(2, log.size(), log::toString);
        assertTrue(log.get(1).endsWith("level=info what=etcd-member-back member=two url=http://two"), log::toString);
    }

    @Test
    void aNewWriterReportsMembersThatAreAlreadyDown() {
        writes.set(false);
        watch.seen(List.of(well, gone));
        watch.seen(List.of(well, gone));
        assertEquals(List.of(), log, "the writer says it");
        writes.set(true);
        watch.seen(List.of(well, gone));
        assertEquals(1, log.size(), log::toString);
    }
}
