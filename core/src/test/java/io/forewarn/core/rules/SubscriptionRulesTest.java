package io.forewarn.core.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forewarn.core.Actor;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.core.engine.PublishedState;
import io.forewarn.core.event.EventId;
import io.forewarn.core.fleet.Quota;
import io.forewarn.core.notification.Channel;
import io.forewarn.core.notification.DeadLetter;
import io.forewarn.core.notification.DeliveryCursor;
import io.forewarn.core.notification.LogPosition;
import io.forewarn.core.notification.NotificationType;
import io.forewarn.core.notification.Subscription;
import io.forewarn.core.notification.SubscriptionId;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class SubscriptionRulesTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Actor OPS = Actor.person("ops", "127.0.0.1");
    private static final SubscriptionId ID = new SubscriptionId(Channel.WEBHOOK, "shop", "ops");

    private final Rules rules = new Rules(ServiceTerms.AZURE, () -> new EventId(UUID.randomUUID()));
    private final ChangeSet draft = new ChangeSet(new PublishedState(), 42, 1);

    private CommandResult decide(Command command) {
        ChangeSet upper = draft.over();
        CommandResult result = rules.decide(upper, command, NOON);
        draft.absorb(upper);
        return result;
    }

    private static Subscription hook() {
        return new Subscription(
                ID, Set.of(), NotificationType.usual(), "https://example.org/", List.of(), "whsec_c2VjcmV0", NOON, 0);
    }

    private static DeliveryCursor cursor(long commit) {
        return new DeliveryCursor(ID, LogPosition.after(commit), 1, 0);
    }

    @Test
    void aSubscriptionReceivesWhatComesAfterItsCreation() {
        decide(new Command.AddRecipient(hook(), OPS));
        assertEquals(42, draft.recipient(ID).orElseThrow().since());
        assertTrue(draft.post().cursors().contains(new DeliveryCursor(ID, LogPosition.after(42), 0, 0)));
        assertEquals("SUBSCRIPTION_ADDED", draft.entries().get(0).what());
    }

    @Test
    void aNameIsTakenOnceAndKnownByItsTenant() {
        decide(new Command.AddRecipient(hook(), OPS));
        RefusedException taken =
                assertThrows(RefusedException.class, () -> decide(new Command.AddRecipient(hook(), OPS)));
        assertEquals(Problem.CONFLICT, taken.problem());
        SubscriptionId other = new SubscriptionId(Channel.WEBHOOK, "shop", "opps");
        RefusedException unknown =
                assertThrows(RefusedException.class, () -> decide(new Command.RemoveRecipient(other, OPS)));
        assertEquals("there is no webhook named shop/opps; did you mean ops?", unknown.getMessage());
    }

    @Test
    void cursorsOfRemovedSubscriptionsAreDropped() {
        decide(new Command.AddRecipient(hook(), OPS));
        decide(new Command.RemoveRecipient(ID, OPS));
        decide(new Command.Posted(List.of(cursor(50)), List.of(), List.of()));
        assertFalse(draft.post().cursors().iterator().hasNext());
        assertTrue(draft.post().removed().contains(ID));
    }

    @Test
    void cursorsOfAnEarlierSubscriptionOfTheSameNameAreDropped() {
        decide(new Command.AddRecipient(hook(), OPS));
        decide(new Command.Posted(List.of(cursor(41)), List.of(), List.of()));
        assertEquals(
                LogPosition.after(42), draft.post().cursors().iterator().next().position());
        decide(new Command.Posted(List.of(cursor(43)), List.of(), List.of()));
        assertEquals(
                LogPosition.after(43), draft.post().cursors().iterator().next().position());
    }

    @Test
    void aDeadLetterIsKeptResentAndSettled() {
        decide(new Command.AddRecipient(hook(), OPS));
        DeadLetter letter =
                new DeadLetter(ID, new LogPosition(43, 0), "SCHEDULED", "", NOON, 3, "it answered 500", false);
        decide(new Command.Posted(List.of(cursor(43)), List.of(letter), List.of()));
        assertTrue(draft.post().letters().contains(letter));
        assertEquals(1, decide(new Command.Resend(ID, List.of(letter), OPS)).changes());
        assertTrue(draft.post().letters().contains(letter.resent()));
        decide(new Command.Posted(List.of(), List.of(), List.of(letter)));
        assertTrue(draft.post().settled().contains(letter.key()));
        assertFalse(draft.post().letters().contains(letter.resent()));
    }

    @Test
    void aDeliveredDeadLetterIsNotResent() {
        decide(new Command.AddRecipient(hook(), OPS));
        DeadLetter letter =
                new DeadLetter(ID, new LogPosition(43, 0), "SCHEDULED", "", NOON, 3, "it answered 500", false);
        DeadLetter other =
                new DeadLetter(ID, new LogPosition(43, 1), "SCHEDULED", "", NOON, 3, "it answered 500", false);
        decide(new Command.Posted(List.of(), List.of(letter, other), List.of()));
        decide(new Command.Posted(List.of(), List.of(), List.of(letter)));
        assertEquals(
                1, decide(new Command.Resend(ID, List.of(letter, other), OPS)).changes());
        assertFalse(draft.post().letters().contains(letter.resent()));
        assertTrue(draft.post().letters().contains(other.resent()));
        assertEquals("1 to webhook shop/ops", draft.entries().get(1).detail());
        assertEquals(ID, draft.entries().get(1).recipient(), "programs need not take the sentence apart");
        assertEquals(0, decide(new Command.Resend(ID, List.of(letter), OPS)).changes());
        assertEquals(2, draft.entries().size());
    }

    @Test
    void oneTenantCannotTakeAllThereAre() {
        Actor owner = Actor.owner("team", "127.0.0.1");
        for (int i = 0; i < OwnerLimits.USUAL.quotas().get(Quota.WEBHOOKS); i++) {
            decide(new Command.AddRecipient(named("shop", "hook-" + i), owner));
        }
        RefusedException refused = assertThrows(
                RefusedException.class, () -> decide(new Command.AddRecipient(named("shop", "more"), owner)));
        assertEquals(Problem.LIMIT_EXCEEDED, refused.problem());
        decide(new Command.AddRecipient(named("shop", "more"), OPS));
        decide(new Command.AddRecipient(named("bank", "more"), owner));
        decide(new Command.AddRecipient(named(SubscriptionId.EVERY_TENANT, "more"), OPS));
    }

    private static Subscription named(String tenant, String name) {
        SubscriptionId id = new SubscriptionId(Channel.WEBHOOK, tenant, name);
        return new Subscription(
                id, Set.of(), NotificationType.usual(), "https://example.org/", List.of(), "whsec_c2VjcmV0", NOON, 0);
    }
}
