package io.forewarn.cli;

import java.util.List;

/** The words users read, one meaning each. {@code docs/glossary.md} is printed from this list. */
final class Glossary {
    static final List<GlossaryTerm> TERMS = List.of(
            GlossaryTerm.of(
                    "approval",
                    "A statement by a machine or a person that an event may start before its notice is over."),
            GlossaryTerm.of(
                    "blackout",
                    "A period in which no platform work starts, set by a policy. Preemptions and failures are not held back."),
            GlossaryTerm.of(
                    "control API",
                    "The HTTP API for people and programs, under `/v1`; the command line uses it for everything."),
            GlossaryTerm.of(
                    "dead letter",
                    "A notification that could not be delivered and is kept so that it can be sent again."),
            GlossaryTerm.of(
                            "driver",
                            "The component that does the work of an event on the machines: a simulation or your own program. Its"
                                    + " settings are `driver.*`.")
                    .not("impact")
                    .found("\\bimpact\\b", "impact.driver selects the program"),
            GlossaryTerm.of(
                            "evacuate first",
                            "With `--evacuate`: before work on a host, move all machines of a group away from it, except those of one"
                                    + " update domain.")
                    .not("passes")
                    .found(
                            "--passes\\b|\\bin passes\\b|\\bneeds? passes\\b|\"passes\"|`passes`",
                            "the host is worked on in passes"),
            GlossaryTerm.of(
                    "event",
                    "Work on machines of one group, as those machines read it. It has an id, a type, a status, and a time"
                            + " (NotBefore) before which it does not start without approval."),
            GlossaryTerm.of(
                    "fault domain",
                    "The machines of a group that may fail together, because they share a rack or a power supply."),
            GlossaryTerm.of("fleet", "All groups and machines that Forewarn knows, as the fleet file describes them."),
            GlossaryTerm.of(
                            "forward",
                            "Send a request to the writer and return its answer, as other nodes do with requests that only the writer"
                                    + " may decide.")
                    .not("pass on", "relay")
                    .found(
                            "\\bpass(es|ed)? (\\w+ )?on to the writer|passed on total|node passe[sd] on\\b",
                            "what this node passes on to the writer"),
            GlossaryTerm.of(
                    "group",
                    "Machines that see each other's events: a cloud service, an availability set, a scale set, or one machine alone."),
            GlossaryTerm.of("host", "A physical machine that runs virtual machines of one or more groups."),
            GlossaryTerm.of(
                    "late unit",
                    "A unit that cannot start by the latest time that its rollout allows (`--until`); `--late` says what"
                            + " happens to it."),
            GlossaryTerm.of(
                    "lease",
                    "The writer's claim in etcd, which it must keep renewing; if the lease expires, another node becomes the"
                            + " writer."),
            GlossaryTerm.of("machine", "A virtual machine that reads events and may approve them."),
            GlossaryTerm.of(
                    "maintenance window",
                    "A period in which platform work may start, set by a policy or by a rollout. Preemptions and failures do not wait for one."),
            GlossaryTerm.of("metadata service", "The endpoint that machines poll, like Azure's at `169.254.169.254`."),
            GlossaryTerm.of("node", "One of several Forewarn processes that share an etcd cluster."),
            GlossaryTerm.of(
                    "notice",
                    "The time from when a machine can read an event until the event may start without approval."),
            GlossaryTerm.of(
                            "notification",
                            "A message that is sent to people or programs when something happens, by webhook, mail or stream. Its"
                                    + " settings are `notifications.*`.")
                    .not("notice", "letter")
                    .found(
                            "\\bforewarn notices\\b|`notices\\.|\\bnotices:|\\b(send|sends|sent|deliver|delivers|delivered) (a|the) notice\\b|\\bnotices (are|were) (sent|delivered|taken|counted)",
                            "notices are sent in order"),
            GlossaryTerm.of(
                    "policy",
                    "Rules for a tenant, a group or a type of work: notice, approval, windows, postponement."),
            GlossaryTerm.of("postpone", "Move an event's NotBefore to a later time, as far as a policy allows."),
            GlossaryTerm.of(
                            "rehearsal",
                            "Work that is scheduled, approved and started as usual but does nothing to the machines; requested with"
                                    + " `--rehearsal`.")
                    .not("drill")
                    .found("\\bdrills?\\b", "--drill announces it"),
            GlossaryTerm.of("revoked", "Describes a token that was removed and no longer gives access to anything.")
                    .not("taken back")
                    .found(
                            "\\btokens?\\b[^.]{0,40}\\b(taken|takes?|took) back\\b|\\b(taken|takes?|took) (a |the |its )?tokens? back\\b",
                            "a token that was taken back"),
            GlossaryTerm.of("rollout", "Work on many hosts or groups, one update domain of a group at a time."),
            GlossaryTerm.of("scheduled", "Describes an event that machines can read and that has not started.")
                    .not("announced")
                    .found("\\bannounc(e|es|ed|ing|ements?)\\b", "the reboot is announced"),
            GlossaryTerm.of(
                    "slip",
                    "A unit slips when its turn moves later, because it would start late by more than `terms.slip-tolerance`."),
            GlossaryTerm.of(
                            "subscribed to",
                            "Describes a webhook or mail address that receives notifications of given kinds about given tenants and groups.")
                    .not("told of")
                    .found("\\btold of\\b", "the only tenant it is told of"),
            GlossaryTerm.of(
                    "tenant",
                    "The owner of groups; its tokens can neither see nor change anything that belongs to other tenants."),
            GlossaryTerm.of(
                    "turn",
                    "The planned start of a unit, set when the rollout starts. It never moves earlier, and moves later only"
                            + " if the unit cannot start on time."),
            GlossaryTerm.of(
                            "unit",
                            "The machines that a rollout works on together: those of a host, or of one update domain of a group.")
                    .not("piece", "batch")
                    .found(
                            "\\bpieces?\\b|\\bbatch(es)? of (a|the) rollout\\b|\\brollout'?s? batch",
                            "a rollout of 5 pieces"),
            GlossaryTerm.of(
                    "update domain",
                    "The machines of a group that planned work may take down together; planned work takes down only one update domain of a group at a time."),
            GlossaryTerm.of(
                    "writer",
                    "The node that makes all decisions for the cluster; if it is lost, another node takes over."));

    private Glossary() {}
}
