import { importLeads } from '#contract/crm/lead-imports.ts'
import { pathAt } from '#contract/operation.ts'
import { recordOutbox } from '#platform/events/audit.ts'
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

/** What making leads of files needs; a worker has it. */
export type ImportServices = Pick<Services, 'database' | 'cipher' | 'wakeUp' | 'log'>

const operation = `POST ${pathAt('session', importLeads)}`
/** Then it is the turn of another import. */
const partsPerTurn = 20
/** In a row; a second later, then two. */
const maxFailures = 3

/**
 * Makes leads of the next lines of the import whose turn it is. A part of them goes with the commit that makes leads of it, so
 * that whoever goes on after a worker that was killed finds each line either done or not. What fails again and again ends
 * the import. False when there was nothing to do.
 */
export async function runNextImport(services: ImportServices, isClosing: () => boolean): Promise<boolean> {
  const { database, log } = services
  const claimed = await claimImport(database)
  if (!claimed) return false
  const { organizationId, id } = claimed
  try {
    await importParts(services, claimed, isClosing)
  } catch (error) {
    log?.error({ organizationId, id, err: error }, 'an import of leads could not go on')
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

/** Lines as they are to be kept; `line` is the first. */
type ParsedPart = { line: number; parsed: ParsedLines }

/**
 * Makes leads of a part, announces and records them; false when it is somebody else's. While the database is at it, this
 * process does something else.
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
      if (isClaimed) await recordOutbox(tx, caller, origin, operation, { subject: id, detail })
    },
  )
  wakeUp?.changed()
  return isClaimed
}

async function recordFailure(
  { database }: ImportServices,
  { organizationId, id }: ClaimedImport,
): Promise<void> {
  await database.transact(organizationId, async tx => {
    const { status, failures } = await lockImport(tx, id)
    if (status !== 'RUNNING') return
    if (failures + 1 === maxFailures) await endImport(tx, id, 'STOPPED')
    else await releaseImport(tx, id, failures + 1, 1)
  })
}
