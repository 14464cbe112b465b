package io.forewarn.server.notification;

import io.forewarn.core.notification.Subscription;
import io.forewarn.server.notification.NotificationSettings.Smtp;
import io.forewarn.server.notification.NotificationSettings.Tls;
import io.forewarn.wire.notification.MailText;
import jakarta.mail.Address;
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
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Sends mail through the operator's server, on its own threads: a slow server delays only mail. */
final class SmtpSender implements Sender {
    private static final int AT_ONCE = 4;
    private static final int REMEMBERED = 1000;
    private static final String PROTOCOL = "smtp";
    private static final String MESSAGE_ID = "Message-ID";

    private final Smtp smtp;
    private final Duration timeLimit;
    private final Supplier<Instant> wall;
    private final ExecutorService senders;
    private final ScheduledThreadPoolExecutor watch;

    /** Who already has a mail that must be tried again for others, by its id; the oldest are forgotten. */
    private final Map<String, Set<String>> served = new LinkedHashMap<>();

    SmtpSender(Smtp smtp, Duration timeLimit, Supplier<Instant> wall) {
        this.smtp = smtp;
        this.timeLimit = timeLimit;
        this.wall = wall;
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                AT_ONCE, AT_ONCE, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), SmtpSender::thread);
        pool.allowCoreThreadTimeOut(true);
        senders = pool;
        watch = new ScheduledThreadPoolExecutor(1, SmtpSender::thread);
        watch.setRemoveOnCancelPolicy(true);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "forewarn-mail");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void send(Subscription subscription, OutgoingMessage outgoing, int attempt, Consumer<DeliveryResult> done) {
        if (!smtp.isThere()) {
            done.accept(DeliveryResult.failed("no mail server is set; set notifications.smtp.host, port and from"));
            return;
        }
        try {
            senders.execute(() -> done.accept(send(subscription, outgoing)));
        } catch (RejectedExecutionException ending) {
            done.accept(DeliveryResult.failed("the service is stopping"));
        }
    }

    private DeliveryResult send(Subscription subscription, OutgoingMessage outgoing) {
        DeadlineSocketFactory deadlineSocketFactory = new DeadlineSocketFactory();
        Future<?> limit = watch.schedule(deadlineSocketFactory::expire, timeLimit.toMillis(), TimeUnit.MILLISECONDS);
        try {
            return send(subscription, outgoing, deadlineSocketFactory);
        } catch (AuthenticationFailedException wrong) {
            return DeliveryResult.failed("the mail server " + where() + " does not accept user '" + smtp.user()
                    + "' with its password (" + line(wrong)
                    + "); correct notifications.smtp.user or the file notifications.smtp.password-file names");
        } catch (MessagingException failed) {
            return DeliveryResult.failed(
                    deadlineSocketFactory.isExpired()
                            ? "the mail server " + where() + " did not finish within " + timeLimit.toSeconds() + " s"
                            : "the mail server " + where() + " could not be used: " + line(failed));
        } catch (IOException unreadable) {
            return DeliveryResult.failed(
                    "the file notifications.smtp.password-file names cannot be read: " + unreadable.getMessage());
        } catch (RuntimeException bug) {
            return DeliveryResult.failed("mail could not be sent: " + bug);
        } finally {
            limit.cancel(false);
        }
    }

    private DeliveryResult send(
            Subscription subscription, OutgoingMessage outgoing, DeadlineSocketFactory deadlineSocketFactory)
            throws MessagingException, IOException {
        Session session = Session.getInstance(properties(deadlineSocketFactory));
        Message message = message(session, subscription, outgoing);
        String id = message.getHeader(MESSAGE_ID)[0];
        Set<String> served = new TreeSet<>(servedBefore(id));
        Address[] others = Arrays.stream(message.getAllRecipients())
                .filter(a -> !served.contains(a.toString()))
                .toArray(Address[]::new);
        Transport transport = session.getTransport(PROTOCOL);
        try {
            transport.connect(smtp.host(), smtp.port(), blankless(smtp.user()), password());
            transport.sendMessage(message, others);
            served(id, null);
            return DeliveryResult.TAKEN;
        } catch (SendFailedException partly) {
            if (deadlineSocketFactory.isExpired()) {
                throw partly;
            }
            served.addAll(words(partly.getValidSentAddresses()));
            String why = "the mail server " + where() + " does not accept mail to "
                    + String.join(", ", refused(subscription, served)) + ": " + line(partly);
            // Temporary failures are retried; unknown recipients must not delay the others.
            boolean done =
                    !served.isEmpty() && words(partly.getValidUnsentAddresses()).isEmpty();
            served(id, done ? null : served);
            return new DeliveryResult(done, why);
        } finally {
            close(transport);
        }
    }

    private static List<String> refused(Subscription subscription, Set<String> served) {
        return subscription.to().stream().filter(to -> !served.contains(to)).toList();
    }

    private static List<String> words(Address[] addresses) {
        return addresses == null
                ? List.of()
                : Arrays.stream(addresses).map(Address::toString).toList();
    }

    private Set<String> servedBefore(String id) {
        synchronized (served) {
            return served.getOrDefault(id, Set.of());
        }
    }

    /** @param addresses null if all is done */
    private void served(String id, Set<String> addresses) {
        synchronized (served) {
            served.remove(id);
            if (addresses != null && !addresses.isEmpty()) {
                served.put(id, addresses);
            }
            while (served.size() > REMEMBERED) {
                served.remove(served.keySet().iterator().next());
            }
        }
    }

    /** A failure to close changes nothing about the mail. */
    private static void close(Transport transport) {
        try {
            transport.close();
        } catch (MessagingException parting) {
            return;
        }
    }

    private Message message(Session session, Subscription subscription, OutgoingMessage outgoing)
            throws MessagingException {
        MailText text = outgoing.mail().get();
        String id = messageId(subscription, outgoing.id());
        MimeMessage message = new MimeMessage(session) {
            @Override
            protected void updateMessageID() throws MessagingException {
                // The same however often it is sent, so that mailboxes drop the second copy.
                setHeader(MESSAGE_ID, id);
            }
        };
        message.setFrom(new InternetAddress(smtp.from()));
        for (String to : subscription.to()) {
            message.addRecipient(Message.RecipientType.TO, new InternetAddress(to));
        }
        message.setSubject(text.subject(), "UTF-8");
        message.setText(text.text(), "UTF-8");
        message.setSentDate(Date.from(wall.get()));
        message.setHeader("Auto-Submitted", "auto-generated");
        thread(message, subscription, outgoing.threads());
        message.saveChanges();
        return message;
    }

    /**
     * All mail of a thread refers to the same id, of a mail that is never sent: whichever of them is read first, and
     * whatever the subscription leaves out, they are shown together.
     */
    private void thread(MimeMessage message, Subscription subscription, List<String> threads)
            throws MessagingException {
        if (!threads.isEmpty()) {
            List<String> ids =
                    threads.stream().map(t -> messageId(subscription, t)).toList();
            message.setHeader("References", String.join(" ", ids));
            message.setHeader("In-Reply-To", ids.get(ids.size() - 1));
        }
    }

    /** Different for each subscription: two of them may have the same recipient. */
    private String messageId(Subscription subscription, String what) {
        String tenant =
                subscription.id().everyTenant() ? "" : "." + subscription.id().tenant();
        return "<" + what + tenant + "." + subscription.id().name() + "@" + domain() + ">";
    }

    private String domain() {
        return smtp.from().substring(smtp.from().indexOf('@') + 1);
    }

    private Properties properties(DeadlineSocketFactory deadlineSocketFactory) {
        Properties properties = new Properties();
        properties.put("mail.smtp.socketFactory", deadlineSocketFactory);
        properties.put("mail.smtp.socketFactory.fallback", "false");
        properties.put("mail.smtp.sendpartial", "true");
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
        watch.shutdownNow();
    }
}
