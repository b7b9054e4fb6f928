import { convertLead, disqualifyLead, qualifyLead } from '#contract/crm/lead-moves.ts'
import { createLead, type SyncedLead, syncLeads, updateLead } from '#contract/crm/leads.ts'
import type { Client } from '#sdk/client.ts'
import { inTurn, itemAt, lastOf, only } from '../elements.ts'
import { randomFrom } from '../random.ts'
import type { TestServer } from '../test-server.ts'
import { eraseLeadOf } from './leads-and-clients.ts'

/**
 * Delays lead changes before they take the clock, and between the clock and the commit, where some are also rolled back and
 * retried.
 */
export async function delayLeadChanges(server: TestServer, seconds: number): Promise<void> {
  await server.sql(`
    create function delay_change() returns trigger language plpgsql as $$
    begin
      perform pg_sleep(random() * tg_argv[0]::float8);
      if random() < tg_argv[1]::float8 then
        raise exception 'rolled back by the test' using errcode = 'serialization_failure';
      end if;
      return new;
    end $$;
    create trigger before_the_moment before insert on lead_clock for each row execute function delay_change(${seconds}, 0);
    create trigger before_the_commit before insert on outbox for each row execute function delay_change(${seconds}, 0.1)`)
}

/** Replaces the clock: each change gets the start time of its transaction. */
export async function stampWithTransactionTime(server: TestServer): Promise<void> {
  await server.sql(`
    drop trigger refuse_unstamped_lead on lead;
    create function naive() returns trigger language plpgsql as $$ begin new.updated_at := now(); return new; end $$;
    create trigger naive before insert or update on lead for each row execute function naive()`)
}

type SyncRun = {
  organizations: number
  /** Concurrent clients per organization, distributed over the API processes. */
  writers: number
  rounds: number
  /** The URLs of the API processes. */
  urls: readonly string[]
  /** Page sizes that the reader cycles through. */
  pages: readonly number[]
}
/** `missed`: leads whose state a reader did not have after all writers had finished. */
export type SyncRunResult = { changes: number; missed: string[]; backwards: number; deadlocks: number }

/**
 * Lets concurrent writers change leads in rounds while one reader per organization follows. After each round it compares the
 * state of the readers with the table.
 */
export async function followChanges(server: TestServer, run: SyncRun): Promise<SyncRunResult> {
  const results = await Promise.all(Array.from({ length: run.organizations }, () => followIn(server, run)))
  const row = only(
    await server.sql<{ deadlocks: number }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    ),
  )
  return {
    changes: results.reduce((sum, room) => sum + room.changes, 0),
    missed: results.flatMap(room => room.missed),
    backwards: results.reduce((sum, room) => sum + room.backwards, 0),
    deadlocks: row.deadlocks,
  }
}

async function followIn(server: TestServer, { writers, rounds, urls, pages }: SyncRun) {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const clients = Array.from({ length: writers }, (_, at) => owner.at(inTurn(urls, at)))
  const random = randomFrom(writers)
  const reader = openReader(owner.at(lastOf(urls)), pages)
  const outcome = { changes: 0, missed: [] as string[], backwards: 0 }
  for (let round = 0; round < rounds; round++) {
    const ids = (await rowsIn(server, organization.id)).filter(({ erased }) => !erased).map(({ id }) => id)
    let isWriting = true
    const following = reader.follow(() => isWriting)
    const answers = await Promise.all(clients.map(client => changeSomething(client, ids, random)))
    isWriting = false
    await following
    outcome.changes += answers.filter(status => status < 300).length
    for (const row of await rowsIn(server, organization.id)) {
      const known = reader.known.get(row.id)
      const isSame = row.erased
        ? known?.erased === true
        : known?.updatedAt === row.updatedAt && known.status === row.status && known.company === row.company
      if (isSame) continue
      outcome.missed.push(row.id)
      // counts each missed lead once
      reader.known.set(row.id, row)
    }
  }
  return { ...outcome, backwards: reader.backwards() }
}

type Known = Pick<SyncedLead, 'id' | 'updatedAt' | 'status' | 'company' | 'erased'>

function rowsIn(server: TestServer, organizationId: string): Promise<Known[]> {
  return server.sql(
    `select id, status, company, erased_at is not null as erased,
       to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"
     from lead where organization_id = $1 order by id`,
    [organizationId],
  )
}

/** Reads changes page by page and stores them. */
function openReader(client: Client, pages: readonly number[]) {
  const known = new Map<string, Known>()
  let cursor: string | undefined
  let pageCount = 0
  let latest = ''
  let backwards = 0
  async function page(): Promise<boolean> {
    const limit = itemAt(pages, pageCount++ % pages.length)
    const { data, nextCursor, hasMore } = await client.call(syncLeads, {
      query: { limit, ...(cursor !== undefined && { cursor }) },
    })
    for (const lead of data) {
      const position = `${lead.updatedAt} ${lead.id}`
      if (position <= latest) backwards++
      latest = position
      known.set(lead.id, lead)
    }
    cursor = nextCursor
    return hasMore
  }
  return {
    known,
    backwards: () => backwards,
    /** Reads while writers run, and then to the end. */
    async follow(isWriting: () => boolean): Promise<void> {
      while (isWriting()) await page()
      while (await page());
    },
  }
}

const reason = 'They signed the offer today'
let count = 0

/** Changes a random lead or creates one. Concurrent changes may fail; returns the status. */
async function changeSomething(
  client: Client,
  ids: readonly string[],
  random: () => number,
): Promise<number> {
  const params = { id: ids[Math.floor(random() * Math.min(ids.length, 20))] ?? '' }
  const body = { company: `Company ${++count}`, email: `someone-${count}@example.test` }
  const dice = ids.length === 0 ? 0 : random()
  const refused = (error: { status?: number }) => error.status ?? 599
  if (dice < 0.2) return (await client.send(createLead, { query: {}, body })).status
  if (dice < 0.7) return (await client.send(updateLead, { params, query: {}, body })).status
  if (dice < 0.85) return (await client.send(qualifyLead, { params, body: {} })).status
  if (dice < 0.9) return (await client.send(disqualifyLead, { params, body: {} })).status
  if (dice < 0.95) return (await client.send(convertLead, { params, body: { reason } })).status
  return eraseLeadOf(client, params.id).then(() => 200, refused)
}
