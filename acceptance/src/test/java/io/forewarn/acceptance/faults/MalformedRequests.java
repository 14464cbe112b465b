package io.forewarn.acceptance.faults;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * What should never be sent. Each kind knows which statuses are right; silence is right too where the server cannot know
 * that a request was meant, and then the connection is closed or waits for more.
 */
enum MalformedRequests {
    // What leaves the connection usable: the next one follows on it.
    BROKEN_JSON(true, 400) {
        @Override
        String text(Random random, Target target) {
            return target.post(target.action, BROKEN.get(random.nextInt(BROKEN.size())));
        }
    },
    RANDOM_BODY(true, 400) {
        @Override
        String text(Random random, Target target) {
            return target.post(target.action, noise(random, 1 + random.nextInt(300)));
        }
    },
    UNKNOWN_PATH(true, 404) {
        @Override
        String text(Random random, Target target) {
            return target.get("/" + letters(random, 1 + random.nextInt(60)));
        }
    },
    WRONG_METHOD(true, 405) {
        @Override
        String text(Random random, Target target) {
            return target.request(List.of("PUT", "PATCH", "OPTIONS", "BREW").get(random.nextInt(4)), target.list, "");
        }
    },
    BAD_QUERY(true, 400) {
        @Override
        String text(Random random, Target target) {
            return target.get(
                    target.list.replaceAll("\\?.*", "") + "?" + target.parameter + "=1&" + target.parameter + "=%zz");
        }
    },
    NOBODY(true, 400, 401) {
        @Override
        String text(Random random, Target target) {
            return "GET " + target.list + " HTTP/1.1\r\nHost: x\r\n\r\n";
        }
    },
    // What ends the connection.
    RANDOM_BYTES(false, 400, 401, 403, 404, 405, 414, 431) {
        @Override
        String text(Random random, Target target) {
            return noise(random, 1 + random.nextInt(400)) + "\r\n\r\n";
        }
    },
    BROKEN_HEAD(false, 400, 401, 403, 404, 405) {
        @Override
        String text(Random random, Target target) {
            StringBuilder head =
                    new StringBuilder(target.post(target.action, "}{")); // What happens to stay whole is wrong too.
            for (int i = 0; i < 3; i++) {
                head.setCharAt(random.nextInt(head.length() - 2), (char) random.nextInt(256));
            }
            return head + "\r\n\r\n";
        }
    },
    LONG_LINE(false, 414) {
        @Override
        String text(Random random, Target target) {
            return "GET /" + "a".repeat(9000 + random.nextInt(9000)) + " HTTP/1.1\r\n\r\n";
        }
    },
    LARGE_HEADERS(false, 431) {
        @Override
        String text(Random random, Target target) {
            return "GET " + target.list + " HTTP/1.1\r\n"
                    + ("X-" + letters(random, 5) + ": " + "b".repeat(900) + "\r\n").repeat(20) + "\r\n";
        }
    },
    BAD_CHUNKS(false, 400, 413) {
        @Override
        String text(Random random, Target target) {
            return target.head("POST", target.action) + "Transfer-Encoding: chunked\r\n\r\n"
                    + List.of(
                                    "zz\r\nabc\r\n0\r\n\r\n",
                                    "-5\r\nabc\r\n",
                                    "ffffffffffffffff\r\nabc",
                                    "100000000\r\n\r\n",
                                    "3\r\nabcdef\r\n0\r\n\r\n")
                            .get(random.nextInt(5));
        }
    },
    BAD_LENGTH(false, 400, 413) {
        @Override
        String text(Random random, Target target) {
            return target.head("POST", target.action) + "Content-Length: "
                    + List.of(
                                    "-1",
                                    "abc",
                                    "99999999999999999999",
                                    "5\r\nContent-Length: 6",
                                    "5\r\nTransfer-Encoding: chunked",
                                    "")
                            .get(random.nextInt(6))
                    + "\r\n\r\n{}";
        }
    },
    LARGE_BODY(false, 400, 413) {
        @Override
        String text(Random random, Target target) {
            return target.head("POST", target.action) + "Content-Length: 5000000\r\n\r\n"
                    + "c".repeat(random.nextInt(2000));
        }
    },
    SHORT_BODY(false, 400) {
        @Override
        String text(Random random, Target target) {
            return target.head("POST", target.action) + "Content-Length: 500\r\n\r\n{\"a\":";
        }
    },
    HALF_A_HEAD(false, 400) {
        @Override
        String text(Random random, Target target) {
            String whole = target.get(target.list);
            return whole.substring(0, 1 + random.nextInt(whole.length() - 3));
        }
    };

    /** Which listener it is meant for, and who pretends to ask. */
    record Target(String headers, String list, String action, String parameter) {
        String head(String method, String path) {
            return method + " " + path + " HTTP/1.1\r\nHost: x\r\n" + headers;
        }

        String request(String method, String path, String body) {
            return head(method, path) + "Content-Length: " + body.length() + "\r\n\r\n" + body;
        }

        String post(String path, String body) {
            return request("POST", path, body);
        }

        String get(String path) {
            return head("GET", path) + "\r\n";
        }
    }

    private static final List<String> BROKEN = List.of(
            "{",
            "[",
            "[]",
            "{\"StartRequests\":",
            "{\"StartRequests\":{}}",
            "{\"StartRequests\":[{\"EventId\":7}]}",
            "{\"StartRequests\":[{\"EventId\":\"no\"}],\"notice\":[]}",
            "nul",
            "\"",
            "{\"notice\":{\"a\":1}}",
            "{\"machines\":3}",
            "[".repeat(3000),
            "{\"a\":".repeat(2000),
            "{\"notice\":\"soon\"}");

    private final boolean goesOn;
    private final Set<Integer> right;

    MalformedRequests(boolean goesOn, Integer... right) {
        this.goesOn = goesOn;
        this.right = Set.of(right);
    }

    abstract String text(Random random, Target target);

    byte[] bytes(Random random, Target target) {
        return text(random, target).getBytes(ISO_8859_1);
    }

    /** The connection can be used afterwards, and an answer must come. */
    boolean goesOn() {
        return goesOn;
    }

    boolean right(int status) {
        return right.contains(status);
    }

    private static String noise(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return new String(bytes, ISO_8859_1);
    }

    private static String letters(Random random, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }
}
