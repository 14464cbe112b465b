package io.forewarn.server.notification;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** A server that speaks just enough SMTP, and refuses or drips as it is told to. */
final class ScriptedSmtpServer implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));

    /** Who got each mail. */
    final List<List<String>> mails = new CopyOnWriteArrayList<>();

    volatile Function<String, String> toRecipient = address -> "250 fine";
    volatile boolean drips;

    ScriptedSmtpServer() throws IOException {
        Thread thread = new Thread(this::serve, "mail-server");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return server.getLocalPort();
    }

    private void serve() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread talk = new Thread(() -> talk(socket), "mail-talk");
                talk.setDaemon(true);
                talk.start();
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void talk(Socket accepted) {
        try (Socket socket = accepted) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = socket.getOutputStream();
            while (drips) {
                // Never the end of a line, and never silent for long.
                out.write('2');
                out.flush();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            say(out, "220 here");
            List<String> to = new ArrayList<>();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String word = line.toUpperCase(Locale.ROOT);
                if (word.startsWith("RCPT")) {
                    String address = line.substring(line.indexOf('<') + 1, line.indexOf('>'));
                    String answer = toRecipient.apply(address);
                    if (answer.startsWith("2")) {
                        to.add(address);
                    }
                    say(out, answer);
                } else if (word.startsWith("DATA")) {
                    say(out, "354 go on");
                    String text = in.readLine();
                    while (text != null && !text.equals(".")) {
                        text = in.readLine();
                    }
                    mails.add(List.copyOf(to));
                    to.clear();
                    say(out, "250 taken");
                } else {
                    say(out, word.startsWith("QUIT") ? "221 bye" : "250 fine");
                }
            }
        } catch (IOException gone) {
            return;
        }
    }

    private static void say(OutputStream out, String line) throws IOException {
        out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    @Override
    public void close() throws IOException {
        drips = false;
        server.close();
    }
}
