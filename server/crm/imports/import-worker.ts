import { recordEvents, recordOutbox } from '#platform/events/audit.ts'
import { emit } from '#platform/events/emit.ts'
import { required } from '#platform/required.ts'
import type { Services } from '#platform/services.ts'
import type { ImportKind } from './import-kind.ts'
import { decideLines, duplicateCounter, type ParsedLines, parseLines } from './import-lines.ts'
import { decryptPart } from './import-part.ts'
import type { ClaimedImport } from './import-store.sql.ts'

/** The services that the import worker needs. */
export type ImportServices = Pick<Services, 'database' | 'cipher' | 'wakeUp' | 'log'>

/** After this many parts another import gets its turn. */
const partsPerTurn = 20
/** Consecutive failures after which the import stops. Retries wait one second, then two. */
const maxFailures = 3

/**
 * Imports the next parts of the import of this kind whose turn it is. The transaction that creates the records of a part
 * deletes the part, so that each line is imported exactly once even if a worker is killed. Repeated failures stop the import.
 * Returns false if there was nothing to do.
 */
export async function runNextImport<Item extends { id: string }>(
  kind: ImportKind<Item>,
  services: ImportServices,
  isClosing: () => boolean,
): Promise<boolean> {
  const { database, log } = services
  const claimed = await kind.store.claim(database)
  if (!claimed) return false
  const { organization_id: organizationId, id } = claimed
  try {
    await importParts(kind, services, claimed, isClosing)
  } catch (error) {
    log?.error({ organizationId, id, err: error }, `An import of ${kind.noun} failed`)
    await recordFailure(kind, services, claimed)
  }
  return true
}

async function importParts<Item extends { id: string }>(
  kind: ImportKind<Item>,
  services: ImportServices,
  claimed: ClaimedImport,
  isClosing: () => boolean,
): Promise<void> {
  const { organization_id: organizationId, id } = claimed
  const { database, cipher } = services
  const db = database.of(organizationId)
  const itemOf = await kind.itemMaker(services, organizationId)
  const importKey = { purpose: kind.purpose, organizationId, id }
  async function readNextPart(line = 0): Promise<ParsedPart<Item> | undefined> {
    const part = await kind.store.nextPart(db, id, line)
    if (!part) return undefined
    const records = decryptPart(cipher, importKey, part.line, part.lines)
    return { line: part.line, parsed: parseLines(kind, claimed.columns, records, itemOf) }
  }
  let part = await readNextPart()
  for (let parts = 0; part && parts < partsPerTurn && !isClosing(); parts++) {
    const { line } = part
    let next: ParsedPart<Item> | undefined
    const isImported = await importPart(kind, services, claimed, part, async () => {
      next = await readNextPart(line)
    })
    if (!isImported) return
    part = next
  }
  if (part) await database.transact(organizationId, tx => kind.store.release(tx, id))
}

/** A parsed part; `line` is the number of its first line. */
type ParsedPart<Item> = { line: number; parsed: ParsedLines<Item> }

/**
 * Creates the records of a part with their events and audit entry. Returns false if another worker imported the part. Runs
 * `meanwhile` while the database works.
 */
async function importPart<Item extends { id: string }>(
  kind: ImportKind<Item>,
  { database, cipher, wakeUp }: ImportServices,
  { organization_id, id, created_by, origin }: ClaimedImport,
  { line, parsed }: ParsedPart<Item>,
  meanwhile: () => Promise<void>,
): Promise<boolean> {
  const importer = { auth: 'session', personId: created_by, applicationId: null } as const
  let ids: string[] | undefined
  await database.transact(
    organization_id,
    async tx => {
      const [isThere, counts] = await Promise.all([
        kind.store.consumePart(tx, id, line),
        kind.countStored(tx, cipher, parsed.items),
      ])
      if (!isThere) return
      const { created, refused, reports } = decideLines(kind, parsed, counts, duplicateCounter(kind))
      ids = created.map(item => item.id)
      await Promise.all([
        kind.store.advance(tx, id, { created: created.length, refused, reports }),
        kind.create(tx, importer, created),
        meanwhile(),
      ])
    },
    async tx => {
      if (!ids) return
      emit(tx, importer, kind.movedEvent, { ids: [id] })
      await recordOutbox(tx, importer, origin, kind.operation, { subject: id, detail: { [kind.noun]: ids } })
    },
  )
  wakeUp?.changed()
  return ids !== undefined
}

async function recordFailure<Item extends { id: string }>(
  { store, movedEvent }: ImportKind<Item>,
  { database, wakeUp }: ImportServices,
  { organization_id, id }: ClaimedImport,
): Promise<void> {
  await database.transact(
    organization_id,
    async tx => {
      const { status, failures } = required(await store.lock(tx, id), 'a claimed import')
      if (status !== 'RUNNING') return
      if (failures + 1 < maxFailures) return store.release(tx, id, failures + 1, 1)
      await store.end(tx, id, 'STOPPED')
      emit(tx, { personId: '' }, movedEvent, { ids: [id] })
    },
    recordEvents,
  )
  wakeUp?.changed()
}
