package io.forewarn.server.notify;

import io.forewarn.core.notice.News;
import io.forewarn.core.notice.Place;
import io.forewarn.core.rules.Entry;
import io.forewarn.wire.notice.CloudEvent;

/** One thing to tell. Its spelling is made once for all who are told. */
public final class Notice {
    private final Place place;
    private final News news;
    private final Entry entry;
    private final String source;
    private volatile byte[] json;

    Notice(Place place, News news, Entry entry, String source) {
        this.place = place;
        this.news = news;
        this.entry = entry;
        this.source = source;
    }

    public Place place() {
        return place;
    }

    public News news() {
        return news;
    }

    public Entry entry() {
        return entry;
    }

    /** As a CloudEvent. */
    public byte[] json() {
        byte[] spelt = json;
        if (spelt == null) {
            spelt = CloudEvent.of(source, place, news, entry).json();
            json = spelt;
        }
        return spelt;
    }

    String id() {
        return CloudEvent.id(place, entry);
    }
}
