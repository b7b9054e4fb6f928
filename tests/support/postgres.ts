import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '#platform/data/embedded.ts'
import { migrate } from '#platform/data/migrate.ts'
import { distribute } from '#server/distribution/distribute.sql.ts'
import { createCitusDatabase, serversOf } from './citus.ts'
import { defined } from './elements.ts'
import { databaseFolder } from './folders.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server for test databases, or all nodes of a Citus cluster, the coordinator first; not databases to work in. */
    databaseServers: [string, ...string[]]
    /** The migrated database that test databases are copies of. */
    databaseTemplate: string
  }
}

export type FreshDatabase = {
  url: string
  /** Drops the database, ending all its connections. */
  drop(): Promise<void>
}

const insufficientPrivilege = '42501'
const objectInUse = '55006'
const cloneAttempts = 50
const clonePauseMs = 100

/**
 * Vitest's global setup: one PostgreSQL for the whole run, with a migrated template that `freshDatabase`
 * copies. With TEST_DATABASE_URL, that server is used instead; if the database has Citus, all test databases are distributed.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const server = given ? { url: given, stop: async () => {} } : await startOwn()
  try {
    const servers = await serversOf(server.url)
    // two runs may use the same server
    const template = `patio_template_${randomBytes(8).toString('hex')}`
    await makeTemplate(servers, template)
    project.provide('databaseServers', servers)
    project.provide('databaseTemplate', template)
    return async () => {
      for (const each of servers) await onServer(each, client => dropped(client, template))
      await server.stop()
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** A migrated, empty database for a test file. Call `drop()` at the end of the file. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const servers = await databaseServers()
  const template = await provided('databaseTemplate')
  const database = await makeDatabase(servers, (client, name) => clone(client, template, name))
  // copies lack the settings of the database
  if (servers.length > 1) await distribute(database.url, { print: () => {} })
  return database
}

/** A database without any table, for tests of migrations. */
export async function emptyDatabase(): Promise<FreshDatabase> {
  const [server] = await databaseServers()
  return makeDatabase([server], async (client, name) => {
    await client.query(`create database ${name}`)
  })
}

function databaseServers(): Promise<[string, ...string[]]> {
  return provided('databaseServers')
}

async function provided<Key extends keyof ProvidedContext>(key: Key): Promise<ProvidedContext[Key]> {
  // Vitest may only be loaded inside a worker, and this file is also loaded outside.
  const { inject } = await import('vitest')
  return inject(key)
}

async function makeDatabase(
  servers: [string, ...string[]],
  create: (client: pg.Client, name: string) => Promise<void>,
): Promise<FreshDatabase> {
  const name = `t_${randomBytes(8).toString('hex')}`
  for (const server of servers) await onServer(server, client => create(client, name))
  return {
    url: inDatabase(servers[0], name),
    async drop() {
      for (const server of servers) await onServer(server, client => dropped(client, name))
    },
  }
}

/** Drops a database. The server refuses during autovacuum, which cannot be ended by us, and when a node of Citus connects anew. */
async function dropped(client: pg.Client, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`drop database if exists ${name} with (force)`)
      return
    } catch (error) {
      const code = (error as { code?: string }).code
      if ((code !== insufficientPrivilege && code !== objectInUse) || attempt === cloneAttempts) throw error
      await sleep(clonePauseMs)
    }
  }
}

async function startOwn(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(databaseFolder(), 'patio-tests-'))
  const reaper = removeAfterUs(dataDir)
  // Nothing has to survive a power cut, and each test file creates a database.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '500',
    max_wal_size: '256MB',
    autovacuum: 'off',
  }
  const server = await startEmbedded({ dataDir, settings, log: () => {} })
  await proveQuickly(server.url)
  return {
    url: server.url,
    async stop() {
      await server.stop()
      reaper.ref()
      defined(reaper.stdin).end()
      await once(reaper, 'exit')
    },
  }
}

/**
 * The same password, proven with one round of hashing, because each test server opens a dozen connections.
 */
async function proveQuickly(url: string): Promise<void> {
  const { username, password } = new URL(url)
  await onServer(url, client =>
    client.query(`set scram_iterations = 1; alter role ${username} password '${password}'`),
  )
}

/**
 * Deletes the folder once this process is gone and its PostgreSQL has stopped, because Vitest ends at Ctrl-C
 * without a teardown.
 */
function removeAfterUs(dataDir: string): ChildProcess {
  const wait =
    'read -r _; for i in $(seq 100); do [ -e "$1/postgres/postmaster.pid" ] || break; sleep 0.1; done'
  const reaper = spawn('/bin/sh', ['-c', `${wait}; rm -rf "$1"`, 'patio-tests-reaper', dataDir], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  reaper.unref()
  return reaper
}

async function makeTemplate(servers: [string, ...string[]], template: string): Promise<void> {
  const [server] = servers
  const url = inDatabase(server, template)
  const isDistributed = servers.length > 1
  if (isDistributed) await createCitusDatabase(server, template)
  else await onServer(server, client => client.query(`create database ${template}`))
  await migrate(url)
  if (isDistributed) await distribute(url, { shardCount: 2, print: () => {} })
  for (const each of servers) {
    // the first connection fills the relation cache file, and copies include it
    await onServer(inDatabase(each, template), client => client.query('select 1'))
    // A test that connects to the template by mistake would block all others.
    await onServer(each, client => client.query(`alter database ${template} allow_connections false`))
  }
}

async function clone(client: pg.Client, template: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      // Citus has a process in each database
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        template,
      ])
      await client.query(`create database ${name} template ${template} strategy file_copy`)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== objectInUse || attempt === cloneAttempts) throw error
      await sleep(clonePauseMs)
    }
  }
}

async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function inDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
