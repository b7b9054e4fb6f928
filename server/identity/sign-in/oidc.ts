import { type GenericOAuthConfig, genericOAuth } from 'better-auth/plugins/generic-oauth'
import { type OidcSettings, oidcProviderId } from './sign-in.ts'

/**
 * One OpenID Connect provider: code flow with PKCE, nonce and verified ID tokens. It never creates a person;
 * it links to the person whose verified e-mail address it confirms.
 */
export function oidcPlugin(settings: OidcSettings) {
  const config: GenericOAuthConfig = {
    providerId: oidcProviderId,
    name: settings.name,
    discoveryUrl: `${settings.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    requireIdTokenVerification: true,
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    scopes: settings.scopes ?? ['openid', 'email', 'profile'],
    disableSignUp: true,
    disableProviderLogout: true,
    ...(settings.isEmailTrusted && {
      // a provider that says that it has not verified an address is believed
      mapProfileToUser: ({ email_verified }: Record<string, unknown>) => ({
        emailVerified: email_verified !== false && email_verified !== 'false',
      }),
    }),
  }
  return {
    ...genericOAuth({ config: [config] }),
    // discovery waits for the first use, so that a hanging provider does not affect other ways to sign in
    init: async () => ({ context: { genericOAuthPendingDiscovery: new Map([[config.providerId, config]]) } }),
  }
}
