import type { Database } from '#platform/data/database.ts'
import { clientImport } from '../clients/imports/client-import.ts'
import { leadImport } from '../leads/imports/lead-import.ts'
import { type ImportServices, runNextImport } from './import-worker.ts'

export type { ImportServices }

/** Imports the next parts of one import of each kind. Returns false if there was nothing to do. */
export async function runNextImports(services: ImportServices, isClosing: () => boolean): Promise<boolean> {
  const hasLeads = await runNextImport(leadImport, services, isClosing)
  const hasClients = await runNextImport(clientImport, services, isClosing)
  return hasLeads || hasClients
}

/** Deletes a batch of imports of each kind beyond the retention and returns their number. */
export async function deleteOldImports(database: Database): Promise<number> {
  return (await leadImport.store.deleteOld(database)) + (await clientImport.store.deleteOld(database))
}
