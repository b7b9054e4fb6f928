import pg from 'pg'
import { crossTenantSql, type Statement, type StatementValues, valuesOf } from '#platform/data/statement.ts'
import { required } from '#platform/required.ts'
import type { Owner } from './passwords.ts'

export type Pool = pg.Pool

const why = 'people are not tied to an organization'

type SessionRow = { id: string; person_id: string; expires_at: string | Date }
const liveSession = crossTenantSql<SessionRow, { token: string }>(
  why,
  `select s.id, s.person_id, s.expires_at
   from session s join person p on p.id = s.person_id
   where s.token = $token and s.expires_at > now() and p.locked_at is null`,
)

/** The session of a token, unless it has expired or its person is locked. */
export async function findLiveSession(pool: Pool, token: string) {
  const row = await first(pool, liveSession, { token })
  return row && { sessionId: row.id, personId: row.person_id, expiresAt: new Date(row.expires_at) }
}

type ListedRow = {
  id: string
  created_at: string | Date
  expires_at: string | Date
  ip_address: string | null
  user_agent: string | null
}
const listedSessions = crossTenantSql<ListedRow, { personId: string }>(
  why,
  `select id, created_at, expires_at, ip_address, user_agent
   from session where person_id = $personId and expires_at > now() order by created_at desc, id limit 100`,
)

/** A person's valid sessions, newest first, at most 100, without their tokens. */
export async function listSessions(pool: Pool, personId: string) {
  const listed = await rows(pool, listedSessions, { personId })
  return listed.map(row => ({
    id: row.id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    ipAddress: row.ip_address,
    userAgent: row.user_agent,
  }))
}

const endedSessions = crossTenantSql<
  { id: string },
  { personId: string; only: string | null; except: string | null }
>(
  why,
  `delete from session where person_id = $personId and ($only::text is null or id = $only)
    and ($except::text is null or id <> $except)
   returning id`,
)

/** Ends a person's sessions: all, `only` one, or all `except` one. Returns how many. */
export async function deleteSessions(
  pool: Pool,
  personId: string,
  which: { only?: string; except?: string } = {},
) {
  return (
    await rows(pool, endedSessions, { personId, only: which.only ?? null, except: which.except ?? null })
  ).length
}

type NewPerson = {
  id: string
  name: string
  email: string
  verified: boolean
  credentialId: string
  hash: string | null
}
export const newPerson = crossTenantSql<{ id: string }, NewPerson>(
  why,
  `with made as (
     insert into person (id, name, email, email_verified) values ($id, $name, $email, $verified) returning id
   ), secret as (
     insert into credential (id, person_id, provider_id, account_id, password)
     select $credentialId, made.id, 'credential', made.id, $hash::text from made where $hash::text is not null
   )
   select id from made`,
)

/** Adds a person, with a password if `hash` is set. Violates person_email_key if the e-mail is taken. */
export async function insertPerson(pool: Pool, person: NewPerson) {
  await rows(pool, newPerson, person)
}

const passwordOwner = crossTenantSql<Owner, { personId: string }>(
  why,
  `select p.email, p.name || array(
     select o.name from membership m join organization o on o.id = m.organization_id
     where m.person_id = $personId and m.removed_at is null limit 100
   ) as names
   from person p where p.id = $personId`,
)

/** The facts that a person's new password is compared with. */
export function findOwner(pool: Pool, personId: string): Promise<Owner | undefined> {
  return first(pool, passwordOwner, { personId })
}

// index personal_token_person, once for each current or former organization of the person
const tokensOf = `(t.organization_id, t.person_id) in (
     select m.organization_id, m.person_id from membership m where m.person_id = $personId)
       and t.revoked_at is null`
const revokedTokens = `update personal_token t set revoked_at = now() where ${tokensOf}`

const endedTokens = crossTenantSql<never, { personId: string }>(why, revokedTokens)

/** Revokes the personal access tokens of a person in every organization. */
export async function revokePersonalTokens(pool: Pool, personId: string) {
  await rows(pool, endedTokens, { personId })
}

const liveTokens = crossTenantSql<{ count: number }, { personId: string }>(
  why,
  `select count(*)::int as count from personal_token t where ${tokensOf} and t.expires_at > now()`,
)

/** The number of a person's active personal access tokens in every organization. */
export async function countPersonalTokens(pool: Pool, personId: string): Promise<number> {
  return required(await first(pool, liveTokens, { personId }), 'the row of an aggregate').count
}

// links and trusted devices of the old password end with it: verification.value names the person
const newPassword = crossTenantSql<
  { written: number },
  { personId: string; credentialId: string; hash: string }
>(
  why,
  `with subject as (
     select id from person where id = $personId
   ), written as (
     insert into credential (id, person_id, provider_id, account_id, password)
     select $credentialId, id, 'credential', id, $hash::text from subject
     on conflict (provider_id, account_id) do update set password = excluded.password, updated_at = now()
     returning id
   ), ended as (
     delete from session where person_id in (select id from subject)
   ), spent as (
     delete from verification where value = $personId
   ), revoked as (
     ${revokedTokens}
   )
   select count(*)::int as written from written`,
)

/**
 * Replaces a person's password and ends all sessions, links, trusted devices and personal access tokens.
 * False: no such person.
 */
export async function replacePassword(pool: Pool, personId: string, credentialId: string, hash: string) {
  return (await first(pool, newPassword, { personId, credentialId, hash }))?.written === 1
}

const spentSecrets = crossTenantSql<never, { personId: string }>(
  why,
  'delete from verification where value = $personId',
)

/** Ends a person's pending reset links, second-factor challenges and trusted devices. */
export async function deleteVerifications(pool: Pool, personId: string) {
  await rows(pool, spentSecrets, { personId })
}

const provenEmail = crossTenantSql<never, { personId: string }>(
  why,
  'update person set email_verified = true, updated_at = now() where id = $personId and not email_verified',
)

/** Records that a person's address is verified. */
export async function setEmailVerified(pool: Pool, personId: string) {
  await rows(pool, provenEmail, { personId })
}

const countedTries = crossTenantSql<
  { key: string; count: number; seconds: number },
  { keys: string[]; seconds: number[] }
>(
  why,
  `insert into sign_in_rate as rate (key, count, resets_at, counted_at)
   select key, 1, now() + make_interval(secs => seconds), now()
   from unnest($keys::text[], $seconds::int[]) as asked (key, seconds) order by key
   on conflict (key) do update set
     count = case when rate.resets_at <= excluded.counted_at then 1 else least(rate.count + 1, 1000000) end,
     resets_at = case when rate.resets_at <= excluded.counted_at then excluded.resets_at else rate.resets_at end,
     counted_at = excluded.counted_at
   returning key, count, greatest(1, ceil(extract(epoch from resets_at - counted_at)))::int as seconds`,
)

/** Counts one attempt under each key, in the order of the keys so that two requests cannot deadlock. */
export async function countTries(pool: Pool, keys: string[], windowSeconds: number[]) {
  return rows(pool, countedTries, { keys, seconds: windowSeconds })
}

const forgottenTries = crossTenantSql<never, { keys: string[] }>(
  why,
  'delete from sign_in_rate where key = any($keys)',
)

export async function forgetTries(pool: Pool, keys: string[]) {
  await rows(pool, forgottenTries, { keys })
}

const sweptRows = crossTenantSql<never, { most: number }>(
  why,
  `with old as (
     delete from session where id in (select id from session where expires_at <= now() limit $most)
   ), spent as (
     delete from verification where id in (select id from verification where expires_at <= now() limit $most)
   )
   delete from sign_in_rate where key in (select key from sign_in_rate where resets_at <= now() limit $most)`,
)

/** Deletes up to `most` expired rows of each kind. */
export async function deleteExpired(pool: Pool, most: number): Promise<void> {
  await rows(pool, sweptRows, { most })
}

async function rows<Row, Args extends object>(
  pool: Pool,
  statement: Statement<Row, Args>,
  ...[args]: StatementValues<Args>
) {
  const { name, text } = statement
  const result = await pool.query({ name, text, values: valuesOf(statement, args) })
  return result.rows as Row[]
}
async function first<Row, Args extends object>(
  pool: Pool,
  statement: Statement<Row, Args>,
  ...args: StatementValues<Args>
) {
  return (await rows(pool, statement, ...args))[0] as Row | undefined
}

/**
 * The same pool for better-auth, which compares dates with `<` and therefore needs real Dates, whatever
 * parsers the process has set. With text, `expiresAt < new Date()` would always be false and no session would
 * expire.
 */
export function poolWithDates(pool: Pool): Pool {
  return {
    connect: async () => {
      const client = await pool.connect()
      return {
        query: (text: string, values: unknown[]) => client.query({ text, values, types: withDates }),
        release: () => client.release(),
      }
    },
    // the owner of the pool closes it
    end: async () => {},
  } as unknown as Pool
}

const { TIMESTAMPTZ, INT8 } = pg.types.builtins
const withDates = {
  getTypeParser(type: number, format?: 'text') {
    if (type === TIMESTAMPTZ) return toDate
    return type === INT8 ? Number : pg.types.getTypeParser(type, format)
  },
} as pg.CustomTypesConfig

// `2026-11-21 13:15:00.1+00` or `+05:30`
function toDate(text: string): Date {
  return new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
}
