package io.forewarn.store.etcd;

import static io.forewarn.core.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forewarn.store.etcd.EtcdMembers.Member;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three members of a real etcd, of which some do not answer. */
class EtcdMembersTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void needsEtcd() {
        assumeTrue(EtcdCluster.isInstalled(), "etcd is not installed: sudo apt-get install etcd-server");
    }

    /** The first look of which it holds: a loaded machine may be slower than the patience for a member. */
    private static List<Member> await(EtcdMembers etcdMembers, Predicate<List<Member>> holds) throws Exception {
        return eventually(() -> etcdMembers.look().get(60, TimeUnit.SECONDS), holds);
    }

    private static boolean allAnswer(List<Member> seen) {
        return seen.size() == 3 && seen.stream().allMatch(m -> m.answers() && m.name() != null);
    }

    @Test
    void killedAndSuspendedMembersAreDistinguishedFromHealthyOnes() throws Exception {
        try (EtcdCluster etcd = EtcdCluster.start(folder, 3);
                EtcdMembers etcdMembers = new EtcdMembers(EtcdAccess.to(etcd.urls(), "m/"))) {
            List<Member> well = await(etcdMembers, EtcdMembersTest::allAnswer);
            assertEquals(
                    List.of(etcd.url(0), etcd.url(1), etcd.url(2)),
                    well.stream().map(Member::url).toList());
            assertEquals(
                    List.of("m0", "m1", "m2"), well.stream().map(Member::name).toList());
            assertEquals(1, well.stream().filter(Member::leads).count(), well::toString);
            assertTrue(well.stream().allMatch(m -> m.bytes() > 0), well::toString);
            await(etcdMembers, all -> all.stream()
                    .allMatch(m -> m.answers() && m.behind() == 0 && m.problem() == null));

            etcd.kill(0);
            List<Member> without = await(
                    etcdMembers,
                    all -> !all.get(0).answers()
                            && all.get(1).answers()
                            && all.get(2).answers()
                            && all.stream().anyMatch(Member::leads));
            assertEquals(3, without.size(), without::toString);
            assertTrue(without.get(0).problem().contains("nothing answers at " + etcd.url(0)), without::toString);

            etcd.pause(1);
            // The last one has no majority left: it answers all the same, and says so.
            List<Member> last = await(
                    etcdMembers,
                    all -> !all.get(1).answers()
                            && all.get(2).answers()
                            && all.get(2).problem() != null);
            assertTrue(last.get(1).problem().contains("did not answer"), last::toString);
            assertEquals(
                    List.of("m0", "m1", "m2"), last.stream().map(Member::name).toList());
            assertFalse(last.stream().anyMatch(Member::leads), last::toString);

            etcd.resume(1);
            etcd.begin(0);
            await(etcdMembers, EtcdMembersTest::allAnswer);
        }
    }

    @Test
    void aMemberQueriedAMomentEarlierIsNotBehind() {
        assertEquals(0, EtcdMembers.behind(9));
        assertEquals(10, EtcdMembers.behind(10));
    }

    @Test
    void unconfiguredMembersAreFoundInEtcdsOwnList() throws Exception {
        try (EtcdCluster etcd = EtcdCluster.start(folder, 3);
                EtcdMembers etcdMembers =
                        new EtcdMembers(EtcdAccess.to(etcd.urls().subList(0, 1), "m/"))) {
            List<Member> all = await(etcdMembers, EtcdMembersTest::allAnswer);
            assertEquals(etcd.url(0), all.get(0).url());
            etcd.kill(2);
            await(
                    etcdMembers,
                    seen -> seen.size() == 3
                            && seen.stream().anyMatch(m -> m.url().equals(etcd.url(2)) && !m.answers()));
        }
    }
}
