import { openAddressRule } from './addresses.ts'
import { assertAddressAllowed, openNames, type Resolve } from './names.ts'

/** Looks at addresses of the web at the moment when they are saved. */
export type SavedAddresses = {
  /**
   * Refuses what nothing may be sent to: another scheme than https, a name and password in it, a host that leads
   * inside or nowhere. http is allowed where all addresses of the host are in the given networks.
   *
   * @throws BlockedAddress, NameUnknown, TypeError
   */
  assertAllowed(url: string): Promise<void>
}

/** `networks` are those that may be reached although they are not public. */
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
