package io.forewarn.server.settings;

import io.forewarn.server.driver.DriverSettings;
import io.forewarn.server.identity.IdentitySettings;
import io.forewarn.server.metadata.MetadataSettings;
import io.forewarn.server.notification.NotificationSettings;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Everything that can be set, part by part.
 *
 * @param profile set of defaults: azure follows Azure's contract; with test, groups are always enabled and there is no rate
 *     limit
 * @param listen where the service listens
 * @param store where records are kept
 * @param cluster how nodes that share a store get along
 * @param clock what time it is
 * @param fleet which machines there are at start
 * @param tenants how far owners may go
 * @param terms the numbers of the contract
 * @param metadata how the metadata endpoint behaves
 * @param identity how a machine is known when a proxy asks for it
 * @param driver how work is carried out
 * @param log how lines for the operator are written
 * @param notifications how people are told of what happens
 */
public record Settings(
        Profile profile,
        ListenSettings listen,
        StoreSettings store,
        ClusterSettings cluster,
        ClockSettings clock,
        FleetSettings fleet,
        TenantSettings tenants,
        TermsSettings terms,
        MetadataSettings metadata,
        IdentitySettings identity,
        DriverSettings driver,
        LogSettings log,
        NotificationSettings notifications) {
    private static final Set<String> DECIDING =
            Set.of("cluster.lease", "clock.resume-grace", "driver.kind", "store.log-retention");

    /** What holds if nothing is said, given the two choices that other defaults hang on. */
    static Settings defaults(Profile profile, ClockSettings.Kind clock) {
        return new Settings(
                profile,
                ListenSettings.DEFAULTS,
                StoreSettings.DEFAULTS,
                ClusterSettings.DEFAULTS,
                ClockSettings.defaults(clock),
                FleetSettings.DEFAULTS,
                TenantSettings.DEFAULTS,
                TermsSettings.of(profile.terms()),
                profile.metadata(),
                IdentitySettings.DEFAULT,
                DriverSettings.DEFAULTS,
                LogSettings.DEFAULTS,
                NotificationSettings.DEFAULTS);
    }

    /** By which the node that writes decides: alike on all nodes, or what machines get depends on who writes. */
    public Map<String, String> deciding() {
        return SettingKey.of(this).stream()
                .filter(settingKey -> settingKey.path().startsWith("terms.")
                        || settingKey.path().startsWith("tenants.")
                        || DECIDING.contains(settingKey.path()))
                .collect(Collectors.toMap(SettingKey::path, settingKey -> SettingKey.print(settingKey.usual())));
    }
}
