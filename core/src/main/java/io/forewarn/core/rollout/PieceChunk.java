package io.forewarn.core.rollout;

import io.forewarn.core.StoredRecord;
import java.util.ArrayList;
import java.util.List;

/** A stretch of a rollout's pieces, small enough for one record. */
public record PieceChunk(String rollout, int chunk, List<Piece> pieces) implements StoredRecord {
    public static final String PREFIX = "pieces/";

    /** How many pieces are in each chunk but the last. */
    public static final int SIZE = 500;

    public PieceChunk {
        pieces = List.copyOf(pieces);
    }

    @Override
    public String key() {
        return key(rollout, chunk);
    }

    public static String key(String rollout, int chunk) {
        return PREFIX + rollout + "/" + String.format("%05d", chunk);
    }

    public static List<PieceChunk> of(String rollout, List<String> names) {
        List<PieceChunk> chunks = new ArrayList<>();
        for (int from = 0; from < names.size(); from += SIZE) {
            List<Piece> pieces = names.subList(from, Math.min(names.size(), from + SIZE)).stream()
                    .map(name -> new Piece(name, Piece.State.PENDING))
                    .toList();
            chunks.add(new PieceChunk(rollout, from / SIZE, pieces));
        }
        return chunks;
    }

    /** In how many chunks so many pieces are kept. */
    public static int chunks(int pieces) {
        return (pieces + SIZE - 1) / SIZE;
    }

    public Piece piece(int index) {
        return pieces.get(index % SIZE);
    }

    public PieceChunk with(int index, Piece.State state) {
        List<Piece> changed = new ArrayList<>(pieces);
        changed.set(index % SIZE, piece(index).with(state));
        return new PieceChunk(rollout, chunk, changed);
    }
}
