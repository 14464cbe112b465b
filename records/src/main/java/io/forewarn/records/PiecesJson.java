package io.forewarn.records;

import io.forewarn.core.event.EventId;
import io.forewarn.core.event.RolloutUnitId;
import io.forewarn.core.fleet.GroupId;
import io.forewarn.core.rollout.OpenPiece;
import io.forewarn.core.rollout.Piece;
import io.forewarn.core.rollout.PieceChunk;
import java.io.IOException;
import java.util.List;

/** The pieces of a rollout, and those that are under way. */
final class PiecesJson {
    private PiecesJson() {}

    static void write(JsonOut out, PieceChunk chunk) throws IOException {
        out.text("rollout", chunk.rollout());
        out.number("chunk", chunk.chunk());
        out.openList("pieces");
        for (Piece piece : chunk.pieces()) {
            out.open();
            out.text("name", piece.name());
            out.constant("state", piece.state());
            out.close();
        }
        out.closeList();
    }

    static PieceChunk readChunk(JsonIn in) throws IOException {
        String rollout = null;
        Integer chunk = null;
        List<Piece> pieces = List.of();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "rollout" -> rollout = in.sharedText();
                case "chunk" -> chunk = in.number();
                case "pieces" -> pieces = in.list(PiecesJson::piece);
                default -> in.skip();
            }
        }
        return new PieceChunk(Damaged.unlessNull(rollout, "rollout"), Damaged.unlessNull(chunk, "chunk"), pieces);
    }

    private static Piece piece(JsonIn in) throws IOException {
        String named = null;
        Piece.State state = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "name" -> named = in.text();
                case "state" -> state = in.constant(Piece.State.class);
                default -> in.skip();
            }
        }
        return new Piece(Damaged.unlessNull(named, "name"), Damaged.unlessNull(state, "state"));
    }

    static void write(JsonOut out, OpenPiece piece) throws IOException {
        TieJson.write(out, piece.tie());
        out.flag("moves", piece.moves());
        out.openList("parts");
        for (OpenPiece.Part part : piece.parts()) {
            out.open();
            out.text("group", part.group());
            out.text("event", part.event());
            out.close();
        }
        out.closeList();
    }

    static OpenPiece readOpen(JsonIn in) throws IOException {
        RolloutUnitId rolloutUnitId = null;
        boolean moves = false;
        List<OpenPiece.Part> parts = List.of();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "tie" -> rolloutUnitId = TieJson.read(in);
                case "moves" -> moves = in.flag();
                case "parts" -> parts = in.list(PiecesJson::part);
                default -> in.skip();
            }
        }
        return new OpenPiece(Damaged.unlessNull(rolloutUnitId, "tie"), moves, parts);
    }

    private static OpenPiece.Part part(JsonIn in) throws IOException {
        GroupId group = null;
        EventId event = null;
        in.open();
        for (String name = in.member(); name != null; name = in.member()) {
            switch (name) {
                case "group" -> group = in.groupId();
                case "event" -> event = EventJson.id(in);
                default -> in.skip();
            }
        }
        return new OpenPiece.Part(Damaged.unlessNull(group, "group"), Damaged.unlessNull(event, "event"));
    }
}
