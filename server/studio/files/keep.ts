import type { Incoming } from '#platform/outside/files.ts'
import type { World } from '#platform/serve.ts'
import { recordObjects } from './store.ts'

/**
 * Keeps received bytes as objects, before rows refer to them: housekeeping is told first, so that what no row comes to
 * refer to is found a day later. Throws StoreUnavailable. Discarding what was received is the caller's business.
 */
export async function keepObjects(
  { database, files }: Pick<World, 'database' | 'files'>,
  incoming: readonly Incoming[],
): Promise<void> {
  await recordObjects(database, incoming)
  await files.put(incoming)
}
