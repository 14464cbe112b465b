package io.forewarn.bench;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.PutOption;
import io.forewarn.core.engine.Commit;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;

/**
 * Guarded transactions without the service: several under way at a time through one client, each guarded by a key of its own, so
 * that none waits for another.
 */
final class BareEtcd implements AutoCloseable {
    private final Client client;
    private final String prefix;
    private final long[] revisions;

    BareEtcd(URI member, String prefix, int atOnce) {
        this.client = Client.builder().endpoints(List.of(member)).build();
        this.prefix = prefix;
        this.revisions = new long[atOnce];
    }

    /** Writes each commit's rows in a transaction; returns how many a second. */
    double write(List<Commit> commits) throws Exception {
        BlockingQueue<Integer> free = new ArrayBlockingQueue<>(revisions.length);
        for (int slot = 0; slot < revisions.length; slot++) {
            free.add(slot);
        }
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        long began = System.nanoTime();
        for (Commit commit : commits) {
            int slot = free.take();
            transaction(commit, slot).whenComplete((answer, failure) -> {
                if (failure != null || !answer.isSucceeded()) {
                    failures.add(failure == null ? new IllegalStateException("a guard did not hold") : failure);
                } else {
                    revisions[slot] = answer.getHeader().getRevision();
                }
                free.add(slot);
            });
        }
        for (int slot = 0; slot < revisions.length; slot++) {
            free.take();
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        if (!failures.isEmpty()) {
            throw new IllegalStateException("a bare transaction failed", failures.get(0));
        }
        return commits.size() / seconds;
    }

    private CompletableFuture<TxnResponse> transaction(Commit commit, int slot) {
        ByteSequence guard = key("guard/" + slot);
        List<Op> operations = new ArrayList<>();
        commit.deletes().stream()
                .filter(key -> !commit.puts().containsKey(key))
                .forEach(key -> operations.add(Op.delete(key(key), DeleteOption.DEFAULT)));
        commit.puts()
                .forEach((key, value) -> operations.add(Op.put(key(key), ByteSequence.from(value), PutOption.DEFAULT)));
        operations.add(Op.put(guard, key("held"), PutOption.DEFAULT));
        return client.getKVClient()
                .txn()
                .If(new Cmp(guard, Cmp.Op.EQUAL, CmpTarget.modRevision(revisions[slot])))
                .Then(operations.toArray(Op[]::new))
                .commit();
    }

    private ByteSequence key(String name) {
        return ByteSequence.from(prefix + name, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        client.close();
    }
}
