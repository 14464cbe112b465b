package io.forewarn.server.notify;

import io.forewarn.core.notice.Recipient;
import io.forewarn.server.notify.NotifySettings.Smtp;
import io.forewarn.server.notify.NotifySettings.Tls;
import io.forewarn.wire.notice.MailText;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Sends mail through the operator's server, on threads of its own: a slow server keeps nothing but mail waiting. */
final class MailCarrier implements Carrier {
    private static final int AT_ONCE = 4;
    private static final String PROTOCOL = "smtp";

    private final Smtp smtp;
    private final Duration timeLimit;
    private final Supplier<Instant> wall;
    private final ExecutorService senders;

    MailCarrier(Smtp smtp, Duration timeLimit, Supplier<Instant> wall) {
        this.smtp = smtp;
        this.timeLimit = timeLimit;
        this.wall = wall;
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(AT_ONCE, AT_ONCE, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), r -> {
                    Thread thread = new Thread(r, "forewarn-mail");
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        senders = pool;
    }

    @Override
    public void carry(Recipient recipient, Parcel parcel, int attempt, Consumer<String> done) {
        if (!smtp.isThere()) {
            done.accept("no mail server is set; set notices.smtp.host, port and from");
            return;
        }
        try {
            senders.execute(() -> done.accept(send(recipient, parcel)));
        } catch (RejectedExecutionException ending) {
            done.accept("the service is ending");
        }
    }

    private String send(Recipient recipient, Parcel parcel) {
        try {
            Session session = Session.getInstance(properties());
            Message message = message(session, recipient, parcel);
            try (Transport transport = session.getTransport(PROTOCOL)) {
                transport.connect(smtp.host(), smtp.port(), blankless(smtp.user()), password());
                transport.sendMessage(message, message.getAllRecipients());
            }
            return null;
        } catch (AuthenticationFailedException wrong) {
            return "the mail server " + where() + " does not take user '" + smtp.user() + "' with its password ("
                    + line(wrong) + "); correct notices.smtp.user or the file notices.smtp.password-file names";
        } catch (SendFailedException refused) {
            return "the mail server " + where() + " does not take mail to " + String.join(", ", recipient.to()) + ": "
                    + line(refused);
        } catch (MessagingException failed) {
            return "the mail server " + where() + " could not be used: " + line(failed);
        } catch (IOException unreadable) {
            return "the file notices.smtp.password-file names cannot be read: " + unreadable.getMessage();
        } catch (RuntimeException bug) {
            return "mail could not be sent: " + bug;
        }
    }

    private Message message(Session session, Recipient recipient, Parcel parcel) throws MessagingException {
        MailText text = parcel.mail().get();
        String id = "<" + parcel.id() + "." + recipient.id().name() + "@" + domain() + ">";
        MimeMessage message = new MimeMessage(session) {
            @Override
            protected void updateMessageID() throws MessagingException {
                // The same however often it is sent, so that mailboxes drop the second copy.
                setHeader("Message-ID", id);
            }
        };
        message.setFrom(new InternetAddress(smtp.from()));
        for (String to : recipient.to()) {
            message.addRecipient(Message.RecipientType.TO, new InternetAddress(to));
        }
        message.setSubject(text.subject(), "UTF-8");
        message.setText(text.text(), "UTF-8");
        message.setSentDate(Date.from(wall.get()));
        message.setHeader("Auto-Submitted", "auto-generated");
        message.saveChanges();
        return message;
    }

    private String domain() {
        return smtp.from().substring(smtp.from().indexOf('@') + 1);
    }

    private Properties properties() {
        Properties properties = new Properties();
        String millis = Long.toString(timeLimit.toMillis());
        properties.put("mail.smtp.connectiontimeout", millis);
        properties.put("mail.smtp.timeout", millis);
        properties.put("mail.smtp.writetimeout", millis);
        properties.put("mail.smtp.auth", Boolean.toString(!smtp.user().isBlank()));
        properties.put("mail.smtp.ssl.enable", Boolean.toString(smtp.tls() == Tls.TLS));
        properties.put("mail.smtp.ssl.checkserveridentity", "true");
        properties.put("mail.smtp.starttls.enable", Boolean.toString(smtp.tls() == Tls.STARTTLS));
        properties.put("mail.smtp.starttls.required", Boolean.toString(smtp.tls() == Tls.STARTTLS));
        return properties;
    }

    private String password() throws IOException {
        return smtp.passwordFile().isBlank()
                ? null
                : Files.readString(Path.of(smtp.passwordFile())).strip();
    }

    private static String blankless(String text) {
        return text.isBlank() ? null : text;
    }

    private String where() {
        return smtp.host() + ":" + smtp.port();
    }

    /** The deepest reason, on one line. */
    private static String line(MessagingException failed) {
        Exception deepest = failed;
        while (deepest instanceof MessagingException outer && outer.getNextException() != null) {
            deepest = outer.getNextException();
        }
        String message = deepest.getMessage() == null ? deepest.getClass().getSimpleName() : deepest.getMessage();
        return message.replaceAll("\\s+", " ").strip();
    }

    @Override
    public void close() {
        senders.shutdownNow();
    }
}
