import { importLeads } from '#contract/crm/lead-imports.ts'
import { pathAt } from '#contract/operation.ts'
import { recordEvents, recordOutbox } from '#platform/events/audit.ts'
import { emit } from '#platform/events/emit.ts'
import type { Services } from '#platform/http/operation.ts'
import { phoneCountryOf } from '../../settings/crm-settings.sql.ts'
import { changeLeads } from '../change.ts'
import { countDuplicates } from './import-duplicates.sql.ts'
import { duplicateCounter, lineReports, type ParsedLines, parseLines } from './import-lines.ts'
import { decryptPart } from './import-part.ts'
import {
  advanceImport,
  type ClaimedImport,
  claimImport,
  consumePart,
  nextPart,
  releaseImport,
} from './import-worker.sql.ts'
import { endImport, lockImport } from './lead-import.sql.ts'

/** The services that the import worker needs. */
export type ImportServices = Pick<Services, 'database' | 'cipher' | 'wakeUp' | 'log'>

const operation = `POST ${pathAt('session', importLeads)}`
/** After this many parts another import gets its turn. */
const partsPerTurn = 20
/** Consecutive failures after which the import stops. Retries wait one second, then two. */
const maxFailures = 3

/**
 * Imports the next parts of the import whose turn it is. The transaction that creates the leads of a part deletes the part, so
 * that each line is imported exactly once even if a worker is killed. Repeated failures stop the import. Returns false if there
 * was nothing to do.
 */
export async function runNextImport(services: ImportServices, isClosing: () => boolean): Promise<boolean> {
  const { database, log } = services
  const claimed = await claimImport(database)
  if (!claimed) return false
  const { organizationId, id } = claimed
  try {
    await importParts(services, claimed, isClosing)
  } catch (error) {
    log?.error({ organizationId, id, err: error }, 'An import of leads failed')
    await recordFailure(services, claimed)
  }
  return true
}

async function importParts(
  services: ImportServices,
  claimed: ClaimedImport,
  isClosing: () => boolean,
): Promise<void> {
  const { organizationId, id } = claimed
  const { database, cipher } = services
  const db = database.of(organizationId)
  const context = { cipher, organizationId, phoneCountry: await phoneCountryOf(db) }
  async function readNextPart(line = 0): Promise<ParsedPart | undefined> {
    const part = await nextPart(db, id, line)
    if (!part) return undefined
    const records = decryptPart(cipher, claimed, part.line, part.lines)
    return { line: part.line, parsed: parseLines(claimed.columns, records, context) }
  }
  let part = await readNextPart()
  for (let parts = 0; part && parts < partsPerTurn && !isClosing(); parts++) {
    const { line } = part
    let next: ParsedPart | undefined
    const isImported = await importPart(services, claimed, part, async () => {
      next = await readNextPart(line)
    })
    if (!isImported) return
    part = next
  }
  if (part) await database.transact(organizationId, tx => releaseImport(tx, id))
}

/** A parsed part; `line` is the number of its first line. */
type ParsedPart = { line: number; parsed: ParsedLines }

/**
 * Creates the leads of a part with their events and audit entry. Returns false if another worker imported the part. Runs
 * `meanwhile` while the database works.
 */
async function importPart(
  { database, cipher, wakeUp }: ImportServices,
  { organizationId, id, createdBy, origin }: ClaimedImport,
  { line, parsed }: ParsedPart,
  meanwhile: () => Promise<void>,
): Promise<boolean> {
  const { leads, refused } = parsed
  const changes = leads.map(after => ({ before: null, after, action: 'import' }))
  const caller = { auth: 'session', personId: createdBy, applicationId: null } as const
  let isClaimed = false
  await database.transact(
    organizationId,
    async tx => {
      const [isThere, counts] = await Promise.all([
        consumePart(tx, id, line),
        countDuplicates(tx, cipher, leads),
      ])
      isClaimed = isThere
      if (!isClaimed) return
      const reports = lineReports(parsed, counts, duplicateCounter())
      await Promise.all([
        advanceImport(tx, id, { created: leads.length, refused: refused.length, reports }),
        changeLeads(tx, caller, changes),
        meanwhile(),
      ])
    },
    async tx => {
      const detail = { leads: leads.map(lead => lead.id) }
      if (!isClaimed) return
      emit(tx, caller, 'lead-import.moved', { ids: [id] })
      await recordOutbox(tx, caller, origin, operation, { subject: id, detail })
    },
  )
  wakeUp?.changed()
  return isClaimed
}

async function recordFailure(
  { database, wakeUp }: ImportServices,
  { organizationId, id }: ClaimedImport,
): Promise<void> {
  await database.transact(
    organizationId,
    async tx => {
      const { status, failures } = await lockImport(tx, id)
      if (status !== 'RUNNING') return
      if (failures + 1 < maxFailures) return releaseImport(tx, id, failures + 1, 1)
      await endImport(tx, id, 'STOPPED')
      emit(tx, { personId: '' }, 'lead-import.moved', { ids: [id] })
    },
    recordEvents,
  )
  wakeUp?.changed()
}
