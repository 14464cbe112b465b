package io.forewarn.server.notify;

import io.forewarn.core.notice.News;
import io.forewarn.core.notice.Place;
import io.forewarn.core.rules.Entry;
import io.forewarn.core.rules.LogPage;
import java.util.ArrayList;
import java.util.List;

/** A page of the log as notices, in order. */
public record Sheet(long commit, List<Notice> notices) {
    static Sheet of(LogPage page, String source) {
        List<Notice> notices = new ArrayList<>(page.entries().size());
        for (int i = 0; i < page.entries().size(); i++) {
            Entry entry = page.entries().get(i);
            Place place = new Place(page.commit(), i);
            News.of(entry.what()).ifPresent(news -> notices.add(new Notice(place, news, entry, source)));
        }
        return new Sheet(page.commit(), notices);
    }
}
