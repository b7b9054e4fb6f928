import { type GenericOAuthConfig, genericOAuth } from 'better-auth/plugins/generic-oauth'
import { type OidcSettings, oidcProviderId } from './sign-in.ts'

/**
 * One OpenID Connect provider: code flow with PKCE, nonce and verified ID tokens. Never creates a person; links
 * to the one whose verified e-mail it vouches for.
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
  }
  return {
    ...genericOAuth({ config: [config] }),
    // discovery waits for the first use: a provider that hangs must not keep everybody else from signing in
    init: async () => ({ context: { genericOAuthPendingDiscovery: new Map([[config.providerId, config]]) } }),
  }
}
