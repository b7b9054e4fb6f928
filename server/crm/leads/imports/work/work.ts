import { importLeads } from '#contract/crm/lead-imports.ts'
import { pathAt } from '#contract/operation.ts'
import { recordOutbox } from '#platform/events/audit.ts'
import type { Services } from '#platform/http/operation.ts'
import { phoneCountryOf } from '../../../settings/crm-settings.sql.ts'
import { changeLeads } from '../../change.ts'
import { countDuplicates } from '../import-duplicates.sql.ts'
import { endImport, lockImport } from '../lead-import.sql.ts'
import { countSame, toldOf, type Understood, understand } from '../lines.ts'
import { revealPart } from '../part.ts'
import {
  advanceImport,
  consumePart,
  giveImportBack,
  nextPart,
  type Taken,
  takeImport,
} from './import-work.sql.ts'

/** What making leads of files needs; a worker has it. */
export type Desk = Pick<Services, 'database' | 'cipher' | 'wakeUp' | 'log'>

const operation = `POST ${pathAt('session', importLeads)}`
/** Then it is the turn of another import. */
const partsInTurn = 20
/** In a row; a second later, then two. */
const mostFailures = 3

/**
 * Makes leads of the next lines of the import whose turn it is. A part of them goes with the commit that makes leads of it, so
 * that whoever goes on after a worker that was killed finds each line either done or not. What fails again and again ends
 * the import. False when there was nothing to do.
 */
export async function workOnImport(desk: Desk, isClosing: () => boolean): Promise<boolean> {
  const { database, log } = desk
  const taken = await takeImport(database)
  if (!taken) return false
  const { organizationId, id } = taken
  try {
    await goOn(desk, taken, isClosing)
  } catch (error) {
    log?.error({ organizationId, id, err: error }, 'an import of leads could not go on')
    await setBack(desk, taken)
  }
  return true
}

async function goOn(desk: Desk, taken: Taken, isClosing: () => boolean): Promise<void> {
  const { organizationId, id } = taken
  const { database, cipher } = desk
  const db = database.of(organizationId)
  const keeping = { cipher, organizationId, phoneCountry: await phoneCountryOf(db) }
  async function readOn(line = 0): Promise<Part | undefined> {
    const part = await nextPart(db, id, line)
    if (!part) return undefined
    const records = revealPart(cipher, taken, part.line, part.lines)
    return { line: part.line, understood: understand(taken.columns, records, keeping) }
  }
  let part = await readOn()
  for (let parts = 0; part && parts < partsInTurn && !isClosing(); parts++) {
    const { line } = part
    let next: Part | undefined
    const isKept = await keep(desk, taken, part, async () => {
      next = await readOn(line)
    })
    if (!isKept) return
    part = next
  }
  if (part) await database.transact(organizationId, tx => giveImportBack(tx, id))
}

/** Lines as they are to be kept; `line` is the first. */
type Part = { line: number; understood: Understood }

/**
 * Makes leads of a part, announces and records them; false when it is somebody else's. While the database is at it, this
 * process does something else.
 */
async function keep(
  { database, cipher, wakeUp }: Desk,
  { organizationId, id, createdBy, origin }: Taken,
  { line, understood }: Part,
  meanwhile: () => Promise<void>,
): Promise<boolean> {
  const { leads, refused } = understood
  const doings = leads.map(after => ({ before: null, after, action: 'import' }))
  const caller = { auth: 'session', personId: createdBy, applicationId: null } as const
  let isOurs = false
  await database.transact(
    organizationId,
    async tx => {
      const [isThere, counts] = await Promise.all([
        consumePart(tx, id, line),
        countDuplicates(tx, cipher, leads),
      ])
      isOurs = isThere
      if (!isOurs) return
      const told = toldOf(understood, counts, countSame())
      await Promise.all([
        advanceImport(tx, id, { created: leads.length, refused: refused.length, told }),
        changeLeads(tx, caller, doings),
        meanwhile(),
      ])
    },
    async tx => {
      const detail = { leads: leads.map(lead => lead.id) }
      if (isOurs) await recordOutbox(tx, caller, origin, operation, { subject: id, detail })
    },
  )
  wakeUp?.changed()
  return isOurs
}

async function setBack({ database }: Desk, { organizationId, id }: Taken): Promise<void> {
  await database.transact(organizationId, async tx => {
    const { status, failures } = await lockImport(tx, id)
    if (status !== 'RUNNING') return
    if (failures + 1 === mostFailures) await endImport(tx, id, 'STOPPED')
    else await giveImportBack(tx, id, failures + 1, 1)
  })
}
