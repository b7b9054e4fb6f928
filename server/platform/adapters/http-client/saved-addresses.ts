import { openAddressRule } from './addresses.ts'
import { assertAddressAllowed, openNames, type Resolve } from './resolve-names.ts'

/** Checks URLs when they are saved. */
export type SavedAddresses = {
  /**
   * Refuses a URL that nothing may be sent to: a scheme other than https, a user or password in it, or a host
   * with a blocked address or none. http is allowed if all addresses of the host are in the configured
   * networks.
   *
   *
   * @throws BlockedAddress, NameUnknown, TypeError
   */
  assertAllowed(url: string): Promise<void>
}

/** `networks` may be reached although they are not public. */
export function openSavedAddresses(networks: readonly string[] = [], resolve?: Resolve): SavedAddresses {
  const rule = openAddressRule(networks)
  const names = openNames(rule, resolve)
  return {
    async assertAllowed(url) {
      await assertAddressAllowed(url, names)
      const { hostname, protocol } = new URL(url)
      if (protocol === 'https:') return
      const addresses = await names(hostname)
      if (!addresses.every(rule.isConfigured)) throw new TypeError('The address must begin with https://')
    },
  }
}
