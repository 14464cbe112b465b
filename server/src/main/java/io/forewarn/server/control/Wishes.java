package io.forewarn.server.control;

import io.forewarn.core.Names;
import io.forewarn.core.Problem;
import io.forewarn.core.Refusal;
import io.forewarn.core.notice.News;
import io.forewarn.wire.control.Words;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What somebody wants to be told of, as typed. */
final class Wishes {
    private static final String ALL = "all";

    private Wishes() {}

    /** @param words null or none for the usual */
    static Set<News> read(Collection<String> words) {
        if (words == null || words.isEmpty()) {
            return News.usual();
        }
        Set<News> news = EnumSet.noneOf(News.class);
        for (String word : words) {
            if (word.equals(ALL)) {
                return EnumSet.allOf(News.class);
            }
            news.add(Words.parse(News.class, word.strip()).orElseThrow(() -> unknown(word)));
        }
        return news;
    }

    private static Refusal unknown(String word) {
        List<String> known = Words.all(News.class);
        String hint = Names.nearest(word, known)
                .map(n -> "did you mean '" + n + "'?")
                .orElse("there are " + String.join(", ", known) + ", and all");
        return new Refusal(Problem.BAD_INPUT, "nobody can be told of '" + word + "'; " + hint);
    }
}
