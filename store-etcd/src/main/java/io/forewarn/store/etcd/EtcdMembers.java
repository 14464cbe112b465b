package io.forewarn.store.etcd;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.maintenance.StatusResponse;
import io.forewarn.core.engine.StoreException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Queries the status of each etcd member, for {@code status} and {@code doctor}. Each has its own connection, and all
 * are queried at the same time with a short timeout, so that one that is down causes no long delay; concurrent callers
 * share the result. Members that {@code --store} does not name are found in etcd's own list. Connects on first use.
 * Thread-safe and non-blocking.
 *
 */
public final class EtcdMembers implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration GRACE = Duration.ofMillis(250);

    /** Members are queried at slightly different times, and the writer's heartbeat alone is one change per second. */
    private static final long ABREAST = 10;

    /**
     * One member.
     *
     * @param url its client address
     * @param name its name in etcd; null if unknown
     * @param answers whether it responds; if not, the numbers are 0
     * @param leads whether it is the leader
     * @param bytes the size of its database
     * @param behind how many revisions it is behind the most recent member; 0 if fewer than ten
     * @param problem why it does not respond, or its alarm; null if there is none
     */
    public record Member(
            String url, String name, boolean answers, boolean leads, long bytes, long behind, String problem) {}

    /** A member in etcd's own list. */
    private record Listed(long id, String name, List<URI> urls) {}

    /** The result of a query: either a status or a problem. */
    private record Asked(URI url, StatusResponse status, String problem) {
        long id() {
            return status == null ? 0 : status.getHeader().getMemberId();
        }

        long revision() {
            return status == null ? 0 : status.getHeader().getRevision();
        }
    }

    private final EtcdAccess access;
    private final EtcdConnection line;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "forewarn-etcd-members");
        thread.setDaemon(true);
        return thread;
    });
    private Client client;
    private CompletableFuture<List<Member>> looking;
    private CompletableFuture<List<Listed>> listing;
    private volatile List<Listed> lastList = List.of();
    private boolean closed;

    public EtcdMembers(EtcdAccess access) {
        this.access = new EtcdAccess(
                access.urls(), access.prefix(), access.ca(), access.identity(), access.login(), PATIENCE);
        this.line = new EtcdConnection(this.access);
    }

    /** All members: the configured ones in that order, then the others. Takes a few seconds at most and never fails. */
    public synchronized CompletableFuture<List<Member>> look() {
        if (closed) {
            return CompletableFuture.completedFuture(List.of());
        }
        if (looking == null || looking.isDone()) {
            CompletableFuture<List<Listed>> list = list();
            looking = CompletableFuture.supplyAsync(() -> ask(access.urls()), threads)
                    .thenCompose(Function.identity())
                    .thenCombineAsync(list, this::more, threads)
                    .thenCompose(Function.identity())
                    .exceptionally(closing -> List.of());
        }
        return looking;
    }

    /** Queries the members that were not configured as well. */
    private CompletableFuture<List<Member>> more(List<Asked> known, List<Listed> list) {
        Set<Long> ids = known.stream().map(Asked::id).collect(Collectors.toSet());
        List<Listed> others = list.stream()
                .filter(each -> !ids.contains(each.id) && each.urls.stream().noneMatch(access.urls()::contains))
                .filter(each -> !each.urls.isEmpty())
                // A member that is down may have been configured by another address than the one it advertises.
                .limit(Math.max(0, list.size() - known.size()))
                .toList();
        return ask(others.stream().map(each -> each.urls.get(0)).toList()).thenApply(answers -> {
            List<Asked> all = new ArrayList<>(known);
            all.addAll(answers);
            return members(all, list);
        });
    }

    private static List<Member> members(List<Asked> all, List<Listed> list) {
        long newest = all.stream().mapToLong(Asked::revision).max().orElse(0);
        return all.stream()
                .map(each -> new Member(
                        each.url.toString(),
                        name(each, list),
                        each.status != null,
                        each.status != null && each.id() == each.status.getLeader(),
                        each.status == null ? 0 : each.status.getDbSize(),
                        each.status == null ? 0 : behind(newest - each.revision()),
                        each.problem))
                .toList();
    }

    static long behind(long changes) {
        return changes < ABREAST ? 0 : changes;
    }

    private static String name(Asked asked, List<Listed> list) {
        return list.stream()
                .filter(each -> asked.status == null ? each.urls.contains(asked.url) : each.id == asked.id())
                .map(Listed::name)
                .findFirst()
                .orElse(null);
    }

    private CompletableFuture<List<Asked>> ask(List<URI> urls) {
        List<CompletableFuture<Asked>> asked = urls.stream().map(this::ask).toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(all -> asked.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<Asked> ask(URI url) {
        try {
            return client().getMaintenanceClient()
                    .statusMember(Client.builder().endpoints(List.of(url)).target())
                    .orTimeout(PATIENCE.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS)
                    .handle((status, failure) -> failure == null ? answered(url, status) : failed(url, failure));
        } catch (StoreException unusable) {
            return CompletableFuture.completedFuture(new Asked(url, null, unusable.getMessage()));
        } catch (RuntimeException refused) {
            return CompletableFuture.completedFuture(failed(url, refused));
        }
    }

    private static Asked answered(URI url, StatusResponse status) {
        List<String> complaints = status.getErrorList();
        return new Asked(url, status, complaints.isEmpty() ? null : String.join("; ", complaints));
    }

    private Asked failed(URI url, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return new Asked(url, null, EtcdErrors.of(cause, url.toString(), access).sentence());
    }

    /** The status needs neither authentication nor a leader. */
    private synchronized Client client() throws StoreException {
        if (client == null) {
            client = EtcdConnection.builder(access, access.urls().get(0)).build();
        }
        return client;
    }

    /** Etcd's own list of members; the last known one if that takes too long. */
    private CompletableFuture<List<Listed>> list() {
        if (listing == null || listing.isDone()) {
            listing = CompletableFuture.supplyAsync(this::listed, threads);
        }
        return listing.copy().completeOnTimeout(lastList, PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private List<Listed> listed() {
        try {
            lastList = line.ask(c -> c.getClusterClient().listMember()).getMembers().stream()
                    .map(each -> new Listed(each.getId(), each.getName(), each.getClientURIs()))
                    .toList();
        } catch (StoreException unknown) {
            // The query of the member reports the reason.
        }
        return lastList;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            if (client != null) {
                client.close();
            }
        }
        threads.shutdownNow();
        line.close();
    }
}
