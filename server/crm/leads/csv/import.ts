import { importLeads } from '#contract/crm/team.ts'
import { limits } from '#contract/limits.ts'
import type { Caller } from '#platform/caller.ts'
import type { Db } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { steps, type Transact, type World } from '#platform/serve.ts'
import { phoneCountryOf } from '../../settings/store.ts'
import { changeLeads } from '../change.ts'
import { blankLead, withFields } from '../fields.ts'
import type { LeadRow } from '../row.ts'
import { mayReadNotes } from '../show.ts'
import { type Columns, columnsOf, type LineError, readLine } from './columns.ts'
import { eachRecord, refuse } from './read.ts'
import { receiveCsv } from './receive.ts'
import { countDuplicates } from './store.ts'

/**
 * The file is read twice: what cannot be read as a whole is refused before anything is kept. Then its lines become leads,
 * so many in a transaction, and nobody else waits for more than one of these.
 */
export const importCsv = steps(importLeads, async ({ caller, form, world, db, transact }) => {
  const { file, isDryRun } = await receiveCsv(form, world.files)
  try {
    const columns = await examined(file, caller)
    const phoneCountry = await phoneCountryOf(db)
    const importing = openImport({ caller, world, db, transact, isDryRun, columns, phoneCountry })
    let isFirst = true
    await eachRecord(file.read(), ({ line, values }) => {
      if (!isFirst) return importing.take(line, values)
      isFirst = false
    })
    return await importing.end()
  } finally {
    await file.discard()
  }
})

/** Reads the file to its end without keeping anything. Refuses CSV_NOT_READABLE. */
async function examined(
  file: Awaited<ReturnType<typeof receiveCsv>>['file'],
  caller: Caller,
): Promise<Columns> {
  let columns: Columns | undefined
  let lines = 0
  await eachRecord(file.read(), ({ values }) => {
    if (columns) {
      if (++lines > limits.leadImportLines)
        refuse('maxLines', `has more than ${limits.leadImportLines} lines`)
      return
    }
    const understood = columnsOf(values, name => name === 'notes' && !mayReadNotes(caller))
    if (typeof understood === 'string') refuse('columns', understood)
    columns = understood
  })
  return columns ?? refuse('empty', 'is empty')
}

type Importing = {
  caller: Caller
  world: World
  db: Db
  transact: Transact
  isDryRun: boolean
  columns: Columns
  phoneCountry: string
}
type Line = { line: number; id: string | null; duplicates: number; errors: LineError[] }
type Ready = { line: number; lead: LeadRow }

function openImport({ caller, world, db, transact, isDryRun, columns, phoneCountry }: Importing) {
  const { cipher, log } = world
  const keeping = { cipher, organizationId: caller.organizationId, phoneCountry }
  const lines: Line[] = []
  const sameInFile = countSame()
  let batch: Ready[] = []
  let [created, refused] = [0, 0]
  let stoppedAt: number | null = null

  async function take(line: number, values: readonly string[]): Promise<void> {
    if (stoppedAt !== null) return
    const { given, errors } = readLine(columns, values)
    if (errors.length > 0) {
      refused++
      lines.push({ line, id: null, duplicates: 0, errors })
      return
    }
    batch.push({ line, lead: withFields(blankLead(newId()), given, keeping) })
    if (batch.length === limits.leadImportAtOnce) await keep()
  }

  /** Makes leads of what was read; the first that cannot be kept by no fault of its lines ends it. */
  async function keep(): Promise<void> {
    const [first] = batch
    if (!first) return
    const leads = batch.map(({ lead }) => lead)
    try {
      const kept = isDryRun ? countDuplicates(db, cipher, leads) : written(leads)
      for (const [at, count] of (await kept).entries()) {
        const duplicates = Math.min(count + sameInFile.before(leads[at]!), limits.leadDuplicates)
        const id = isDryRun ? null : leads[at]!.id
        if (duplicates > 0) lines.push({ line: batch[at]!.line, id, duplicates, errors: [] })
      }
      created += batch.length
    } catch (error) {
      if (created === 0) throw error
      log?.error({ err: error }, 'an import of leads broke off')
      stoppedAt = first.line
    }
    batch = []
    // what is kept is counted by the database
    if (!isDryRun) sameInFile.forget()
  }

  function written(leads: readonly LeadRow[]): Promise<number[]> {
    const doings = leads.map(after => ({ before: null, after, action: 'import' }))
    const detail = { leads: leads.map(({ id }) => id) }
    return transact(
      async tx => {
        // what is looked for is sent before what waits, and travels with it
        const [counts] = await Promise.all([
          countDuplicates(tx, cipher, leads),
          changeLeads(tx, caller, doings),
        ])
        return counts
      },
      { detail },
    )
  }

  return {
    take,
    async end() {
      if (stoppedAt === null) await keep()
      const told = lines.sort((a, b) => a.line - b.line).slice(0, limits.leadImportTold)
      return { created, refused, stoppedAt, ignoredColumns: columns.ignored, lines: told }
    },
  }
}

/** Counts leads of a file with the same e-mail or telephone, as far as they were not forgotten. */
function countSame() {
  const seen = new Map<string, Set<number>>()
  let place = 0
  return {
    /** How many before this one. */
    before({ email_hash, phone_e164 }: Pick<LeadRow, 'email_hash' | 'phone_e164'>): number {
      const same = new Set<number>()
      for (const key of [email_hash, phone_e164]) {
        if (key === null) continue
        const places = seen.get(key) ?? new Set()
        for (const one of places) same.add(one)
        if (places.size < limits.leadDuplicates) seen.set(key, places.add(place))
      }
      place++
      return same.size
    },
    forget: () => seen.clear(),
  }
}
